import { createHash } from 'node:crypto';
import type { ReplyEffect } from '../../../shared/contract/envelope.ts';
import type { StepReply } from '../../../shared/contract/steps.ts';
import type { LayoutText, Node, StepsNode } from '../../../shared/language/types.ts';
import { formatValue } from '../../../shared/rules/format.ts';
import { interpolate } from '../../../shared/rules/text.ts';
import { formatContextOf } from '../../access/format-context.ts';
import type { CommandContext, CommandReply } from '../command.ts';

/** Texts of the page's node: of fields and facts by their names, and of what is said. */
export type Words = Readonly<Record<string, LayoutText>>;

/** Gives the wizard's text for a name (of a field or step); the name itself where there is none. */
export const labelOf = (words: Words, name: string): LayoutText => words[name] ?? name;

/** Gives the texts that a wizard's `steps` node brings, by name. */
export const wordsOf = ({ node }: Pick<CommandContext, 'node'>): Words => ((node as StepsNode).words ?? {}) as Words;

/**
 * Hashes the prices that a user was shown. The order sends the hash back and is refused when prices have changed since,
 * so that nobody pays a price that they did not see.
 */
export const stampOf = (prices: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(prices)).digest('base64url').slice(0, 16);

/** What the reply of a wizard is, but for its facts. */
export const stepContract = {
  step: 'text',
  title: 'text?',
  children: { kind: 'model:nodes?', requires: 'anyone' },
  values: { kind: 'model:values', requires: 'anyone' },
  waits: 'yes-no?',
} as const;

/** Makes the notice that what was typed before is there again; none where nothing is, or the wizard has no words for it. */
export function keptNotice(
  { node, caller }: Pick<CommandContext, 'node' | 'caller'>,
  savedAt: Date | undefined,
): Node[] {
  const { keptText } = node as StepsNode;
  if (!savedAt || keptText === undefined) return [];
  const at = formatValue(savedAt.toISOString(), 'long-date-time', formatContextOf(caller.principal));
  return [{ type: 'alert', kind: 'info', text: interpolate(keptText, { at }) }];
}

/** Makes the reply by which a wizard's command shows a step. */
export const stepReply = (Result: StepReply): CommandReply => ({ envelope: { Succeed: true, Result } });

/**
 * Makes the reply for a step that must wait: the effects lead to what comes before it. The browser keeps what was
 * typed.
 */
export const waitingReply = (step: string, effects: readonly ReplyEffect[]): CommandReply => ({
  envelope: { Succeed: true, Result: { step, values: {}, waits: true } satisfies StepReply, effects },
});
