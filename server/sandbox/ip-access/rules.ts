import type { AddressRule, RuleSet } from '../../../shared/rules/address-rules.ts';
import { parseRange, writeRange } from '../../../shared/rules/ip-address.ts';
import { notFound } from '../http/errors.ts';
import { idOf } from '../http/ids.ts';
import { refuseField } from '../http/refusals.ts';
import type { Places } from './places.ts';

/** The addresses or the place that a rule is about. */
export type RuleSubject = Pick<AddressRule, 'Kind' | 'Value' | 'Name'>;

/** The rest of a rule as it is typed. `Hours`: how long it lasts from now on; 0: it stays. */
export type RuleTerms = {
  readonly Does: AddressRule['Does'];
  readonly Note?: string;
  readonly Hours: string;
};

/**
 * Reads what a rule is about.
 * @throws {CloudError} 400 for what is no address, network or range
 */
export function readValue({ Address }: { readonly Address: string }): RuleSubject {
  const range = parseRange(Address);
  if (!range) throw refuseField('Address', 'AddressMalformed');
  const Value = writeRange(range);
  return { Kind: 'Address', Value, Name: Value };
}

/** Finds the place that a rule is about. @throws {CloudError} 404 for one that the operator's files lack */
export async function findPlace(places: Places, kind: string, value: string): Promise<RuleSubject> {
  const known = places.kinds.find(one => one === kind);
  const place = known && (await places.find(known, value));
  if (!known || !place) throw notFound();
  return { Kind: known, Value: place.Value, Name: place.Name };
}

function ruleOf(subject: RuleSubject, terms: RuleTerms, now: Date): Omit<AddressRule, 'Id'> {
  const Until = terms.Hours === '0' ? null : new Date(now.getTime() + Number(terms.Hours) * 3_600_000).toISOString();
  const { Kind, Value, Name } = subject;
  return { Kind, Value, Name, Does: terms.Does, Note: (terms.Note ?? '').trim(), Until };
}

/** Adds a rule at the end. */
export function addRule(set: RuleSet, subject: RuleSubject, terms: RuleTerms, now: Date): RuleSet {
  const Id = Math.max(0, ...set.Rules.map(rule => rule.Id)) + 1;
  const rule = { Id, ...ruleOf(subject, terms, now) };
  return { ...set, Rules: [...set.Rules, rule] };
}

/** The place of a rule. @throws {CloudError} 404 */
function placeOf(set: RuleSet, ruleId: string): number {
  const place = set.Rules.findIndex(({ Id }) => Id === idOf(ruleId));
  if (place < 0) throw notFound();
  return place;
}

/**
 * Changes what a rule does and how long; without a subject it stays about what it is about.
 * @throws {CloudError} 404
 */
export function changeRule(
  set: RuleSet,
  ruleId: string,
  typed: { readonly subject?: RuleSubject; readonly terms: RuleTerms; readonly now: Date },
): RuleSet {
  const place = placeOf(set, ruleId);
  const changed = (rule: AddressRule) => ({ Id: rule.Id, ...ruleOf(typed.subject ?? rule, typed.terms, typed.now) });
  return { ...set, Rules: set.Rules.map((rule, at) => (at === place ? changed(rule) : rule)) };
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
