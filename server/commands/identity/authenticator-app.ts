import type { Effect } from '../../../shared/language/types.ts';
import { productName } from '../../operations/product-name.ts';
import type { CommandContext } from '../command.ts';

type Context = Pick<CommandContext, 'caller' | 'services'>;

/**
 * Shows the key of an authenticator app, and the address from which one reads it (Google's key URI format). The app says
 * that its codes are for the product.
 */
export function offerApp({ caller, services }: Context, username: string, key: string): Effect {
  const issuer = productName(caller.access) || new URL(services.ownOrigin()).hostname;
  const [label, by] = [`${issuer}:${username}`, issuer].map(encodeURIComponent);
  const address = `otpauth://totp/${label}?secret=${key}&issuer=${by}`;
  return { do: 'open-popup', popup: 'configure-mfa', with: { key: { value: key }, address: { value: address } } };
}
