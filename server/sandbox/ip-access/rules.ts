import type { AddressRule, RuleSet } from '../../../shared/rules/address-rules.ts';
import { parseRange, writeRange } from '../../../shared/rules/ip-address.ts';
import { notFound } from '../http/errors.ts';
import { idOf } from '../http/ids.ts';
import { refuseField } from '../http/refusals.ts';

/** A rule as it is typed. `Hours`: how long it lasts from now on; 0: it stays. */
export type TypedRule = {
  readonly Address: string;
  readonly Does: AddressRule['Does'];
  readonly Note?: string;
  readonly Hours: string;
};

/**
 * Reads what a rule is about.
 * @throws {CloudError} 400 for what is no address, network or range
 */
export function readValue({ Address }: Pick<TypedRule, 'Address'>): Pick<AddressRule, 'Kind' | 'Value' | 'Name'> {
  const range = parseRange(Address);
  if (!range) throw refuseField('Address', 'AddressMalformed');
  const Value = writeRange(range);
  return { Kind: 'Address', Value, Name: Value };
}

function ruleOf(typed: TypedRule, now: Date): Omit<AddressRule, 'Id'> {
  const Until = typed.Hours === '0' ? null : new Date(now.getTime() + Number(typed.Hours) * 3_600_000).toISOString();
  return { ...readValue(typed), Does: typed.Does, Note: (typed.Note ?? '').trim(), Until };
}

/** Adds a rule at the end. */
export function addRule(set: RuleSet, typed: TypedRule, now: Date): RuleSet {
  const Id = Math.max(0, ...set.Rules.map(rule => rule.Id)) + 1;
  const rule = { Id, ...ruleOf(typed, now) };
  return { ...set, Rules: [...set.Rules, rule] };
}

/** The place of a rule. @throws {CloudError} 404 */
function placeOf(set: RuleSet, ruleId: string): number {
  const place = set.Rules.findIndex(({ Id }) => Id === idOf(ruleId));
  if (place < 0) throw notFound();
  return place;
}

/** Puts what was typed in the place of a rule. @throws {CloudError} 404 */
export function changeRule(set: RuleSet, ruleId: string, typed: TypedRule, now: Date): RuleSet {
  const place = placeOf(set, ruleId);
  return { ...set, Rules: set.Rules.map((rule, at) => (at === place ? { Id: rule.Id, ...ruleOf(typed, now) } : rule)) };
}

/** Leaves a rule out. @throws {CloudError} 404 */
export function removeRule(set: RuleSet, ruleId: string): RuleSet {
  const place = placeOf(set, ruleId);
  return { ...set, Rules: set.Rules.filter((_, at) => at !== place) };
}

/** Moves a rule by one place towards the top (-1) or the end (1), where there is one. @throws {CloudError} 404 */
export function moveRule(set: RuleSet, ruleId: string, by: -1 | 1): RuleSet {
  const place = placeOf(set, ruleId);
  const other = set.Rules[place + by];
  const rule = set.Rules[place];
  if (!other || !rule) return set;
  return { ...set, Rules: set.Rules.map((one, at) => (at === place ? other : at === place + by ? rule : one)) };
}
