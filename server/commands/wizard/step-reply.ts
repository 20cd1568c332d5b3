import { createHash } from 'node:crypto';
import type { ReplyEffect } from '../../../shared/contract/envelope.ts';
import type { StepReply } from '../../../shared/contract/steps.ts';
import type { LayoutText, StepsNode } from '../../../shared/language/types.ts';
import type { CommandContext, CommandReply } from '../command.ts';

/** Texts of the page's node: of fields and facts by their names, and of what is said. */
export type Words = Readonly<Record<string, LayoutText>>;

/** The text of a name; its name where the page has none. */
export const labelOf = (words: Words, name: string): LayoutText => words[name] ?? name;

export const wordsOf = ({ node }: Pick<CommandContext, 'node'>): Words => ((node as StepsNode).words ?? {}) as Words;

/** A price that one has seen is the price that one pays; who sees none has a stamp that says none. */
export const stampOf = (prices: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(prices)).digest('base64url').slice(0, 16);

export const stepReply = (Result: StepReply): CommandReply => ({ envelope: { Succeed: true, Result } });

/** Something comes before the step: the effects lead to it, and back to what was typed. */
export const waitingReply = (step: string, effects: readonly ReplyEffect[]): CommandReply => ({
  envelope: { Succeed: true, Result: { step, values: {}, waits: true } satisfies StepReply, effects },
});
