import type { Effect } from '../../../shared/language/types.ts';
import { productName } from '../../operations/product-name.ts';
import type { CommandContext } from '../command.ts';

type Context = Pick<CommandContext, 'caller' | 'services'>;

/**
 * Makes the effect that shows the key and QR address to set up an authenticator app (Google's key URI format), under
 * the product's name.
 */
export function offerApp({ caller, services }: Context, username: string, key: string): Effect {
  const issuer = productName(caller.access) || new URL(services.ownOrigin()).hostname;
  const [label, by] = [`${issuer}:${username}`, issuer].map(encodeURIComponent);
  const address = `otpauth://totp/${label}?secret=${key}&issuer=${by}`;
  return { do: 'open-popup', popup: 'configure-mfa', with: { key: { value: key }, address: { value: address } } };
}
