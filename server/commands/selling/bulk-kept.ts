import { createHash } from 'node:crypto';
import type { FieldNode } from '../../../shared/language/types.ts';
import { isSecret } from '../../../shared/rules/fields.ts';
import { readGrid, type Values, writeGrid } from '../../../shared/rules/grid.ts';
import { PortalError } from '../../errors.ts';
import { sessionOf } from '../../operations/caller.ts';
import { checkBody } from '../../operations/check-body.ts';
import { textOf } from '../../operations/text-of.ts';
import type { DraftKey } from '../../store/drafts.ts';
import type { CommandContext } from '../command.ts';
import type { Key } from './order-form.ts';

/** Customers of one order at most. */
export const mostCustomers = 10_000;

/** The draft of an order for many customers: typed, and not placed yet. */
export type KeptBulk = {
  /** Ids of those who were ticked. */
  readonly customers: readonly string[];
  /** Answers that are the same for all. */
  readonly shared?: Values | undefined;
  /** Values of single customers, as the value of the grid. */
  readonly own?: string | undefined;
};
export type FoundBulk = KeptBulk & { readonly savedAt: Date };

/** One order for many is kept per user, product and set of customers that the address names. */
function keyOf(context: CommandContext, { serviceId, subId }: Key, named: readonly string[]): DraftKey {
  sessionOf(context);
  const subject = createHash('sha256')
    .update(JSON.stringify([serviceId, subId, named.toSorted()]))
    .digest('base64url');
  return { owner: context.caller.principal.facts.identity, kind: 'typed in order.bulk', subject };
}

/** Reads what was typed before in an order for many; undefined where there is nothing. */
export async function findKept(
  context: CommandContext,
  key: Key,
  named: readonly string[],
): Promise<FoundBulk | undefined> {
  const found = await context.services.drafts.find(keyOf(context, key, named));
  return found && { ...(found.content as KeptBulk), savedAt: found.savedAt };
}

/** Keeps a part of what is typed beside the others; what is too large for a draft is not kept. */
export async function keepBulk(
  context: CommandContext,
  key: Key,
  named: readonly string[],
  part: KeptBulk,
): Promise<void> {
  const before = await context.services.drafts.find(keyOf(context, key, named));
  try {
    await context.services.drafts.keep(keyOf(context, key, named), { ...(before?.content as object), ...part });
  } catch (error) {
    if (!(error instanceof PortalError) || error.code !== 'TOO_LARGE') throw error;
  }
}

/** Forgets what was typed, once it is placed. */
export const dropKept = (context: CommandContext, key: Key, named: readonly string[]): Promise<void> =>
  context.services.drafts.drop(keyOf(context, key, named));

/** Picks the values of single customers who are still chosen; undefined for none. */
export function ownOf(kept: KeptBulk | undefined, chosen: ReadonlySet<string>): string | undefined {
  const typed = readGrid(kept?.own) ?? new Map<string, Values>();
  return writeGrid(new Map([...typed].filter(([id]) => chosen.has(id))));
}

/** The customers that the address names. Throws TOO_MANY_CHOSEN. */
export function namedIn({ with: given }: CommandContext): string[] {
  const named = [...new Set(textOf(given.customers).split(',').filter(Boolean))];
  if (named.length > mostCustomers) throw new PortalError('TOO_MANY_CHOSEN');
  return named;
}

/** Picks what was typed in these fields, whether or not it is right, but for passwords and codes. */
export const answersOf = (fields: readonly FieldNode[], typed: Values): Values =>
  Object.fromEntries(
    fields.flatMap(field =>
      Object.hasOwn(typed, field.propertyName) && !isSecret(field)
        ? [[field.propertyName, typed[field.propertyName]]]
        : [],
    ),
  );

/** Picks the same of a grid with a row for each customer; gives the value of a grid, undefined for none. */
export function rowsOf(fields: readonly FieldNode[], grid: unknown): string | undefined {
  const typed = readGrid(grid);
  return typed && writeGrid(new Map([...typed].map(([id, values]) => [id, answersOf(fields, values)])));
}

/** Gives the kept answers that are the same for all; none where they are no longer right. */
export function keptShared(
  kept: FoundBulk | undefined,
  fields: readonly FieldNode[],
  caller: CommandContext['caller'],
): Values {
  try {
    return kept?.shared ? checkBody(fields, answersOf(fields, kept.shared), caller) : {};
  } catch {
    return {};
  }
}
