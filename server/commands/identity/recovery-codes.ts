import type { ReplyEffect } from '../../../shared/contract/envelope.ts';

/**
 * Makes the effects that close the set-up popup and show the user's recovery codes; no later reply holds them again.
 */
export const showCodes = (codes: readonly string[] = []): readonly ReplyEffect[] => {
  const shown = { codes: { value: codes.map(Code => ({ Code })) }, all: { value: codes.join('\n') } };
  const open = { do: 'open-popup', popup: 'recovery-codes', with: shown } as const;
  return [{ do: 'close-popup' }, ...(codes.length > 0 ? [open] : [])];
};
