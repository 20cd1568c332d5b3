import type { ReplyEffect } from '../../../shared/contract/envelope.ts';

/**
 * Closes the popup of what was set up, and shows its recovery codes, which are in this reply alone. A cloud need not
 * have any.
 */
export const showCodes = (codes: readonly string[] = []): readonly ReplyEffect[] => {
  const shown = { codes: { value: codes.map(Code => ({ Code })) }, all: { value: codes.join('\n') } };
  const open = { do: 'open-popup', popup: 'recovery-codes', with: shown } as const;
  return [{ do: 'close-popup' }, ...(codes.length > 0 ? [open] : [])];
};
