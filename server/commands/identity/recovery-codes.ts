import type { ReplyEffect } from '../../../shared/contract/envelope.ts';

/**
 * Effects that close the set-up popup and show the recovery codes; only this reply holds them. A cloud may give none.
 */
export const showCodes = (codes: readonly string[] = []): readonly ReplyEffect[] => {
  const shown = { codes: { value: codes.map(Code => ({ Code })) }, all: { value: codes.join('\n') } };
  const open = { do: 'open-popup', popup: 'recovery-codes', with: shown } as const;
  return [{ do: 'close-popup' }, ...(codes.length > 0 ? [open] : [])];
};
