import type { PrincipalFacts } from '../../shared/contract/boot.ts';
import type { Operation, Scalar } from '../../shared/language/types.ts';
import { PortalError } from '../errors.ts';
import type { Capability } from '../layouts/index.ts';
import { testPattern } from '../layouts/names/pattern.ts';
import type { Caller } from './caller.ts';
import { notPermitted } from './not-permitted.ts';

type Rule = NonNullable<Operation['with']>[string];

/** A parameter value that is sent to the cloud. Null means absent, and is never sent. */
type ParameterValue = NonNullable<Scalar>;

const longest = 2000;

const refuse = (name: string, why: string): never => {
  throw new PortalError('PARAMETER_INVALID', { detail: `parameter ${name} ${why}` });
};

/** True for what PostgreSQL and addresses cannot hold: U+0000, and half of a pair of surrogates. */
const isNoText = (value: string): boolean => /\0|[\ud800-\udfff]/u.test(value);

/**
 * Checks what a press gives a command besides its body: plain values. What they mean is the command's.
 * @throws {PortalError} PARAMETER_INVALID
 */
export function checkPlain(given: Readonly<Record<string, unknown>>): void {
  for (const name in given) {
    const value = given[name];
    if (value === null || typeof value === 'number' || typeof value === 'boolean') continue;
    if (typeof value !== 'string') refuse(name.slice(0, 40), 'is not a plain value');
    else if (isNoText(value)) refuse(name.slice(0, 40), 'holds what is no text');
  }
}

function coerce(name: string, { type }: Rule, value: unknown): ParameterValue {
  if (type === 'boolean') {
    if (value === true || value === 'true') return true;
    if (value === false || value === 'false') return false;
    return refuse(name, 'is not true or false');
  }
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
    return refuse(name, 'is not a plain value');
  if (typeof value === 'string' && isNoText(value)) return refuse(name, 'holds what is no text');
  if (type === 'string') return String(value);
  const number = typeof value === 'string' && !/^-?\d+(?:\.\d+)?$/.test(value) ? Number.NaN : Number(value);
  if (!Number.isFinite(number) || (type === 'integer' && !Number.isSafeInteger(number)))
    return refuse(name, `is not a ${type}`);
  return number;
}

function check(name: string, rule: Rule, value: ParameterValue): void {
  if (rule.enum && !rule.enum.includes(value as string)) refuse(name, 'is none of its values');
  if (typeof value === 'string') {
    if (value.length > (rule.maxLength ?? longest)) refuse(name, 'is too long');
    if (rule.pattern !== undefined && !testPattern(rule.pattern, value)) refuse(name, 'does not match its pattern');
  }
  if (typeof value === 'number') {
    if (rule.minimum !== undefined && value < rule.minimum) refuse(name, 'is too small');
    if (rule.maximum !== undefined && value > rule.maximum) refuse(name, 'is too large');
  }
}

/** True when `checkParameters` would accept this value of a parameter. */
export function isAcceptable(operation: Operation, { refused }: Capability, name: string, value: string): boolean {
  const rule = operation.with?.[name];
  if (!rule || refused.get(name)?.has(value.replace(/^-/, ''))) return false;
  try {
    check(name, rule, coerce(name, rule, value));
    return true;
  } catch {
    return false;
  }
}

/**
 * Gives the parameters to send: those from the browser, checked and converted to their types, those that only the
 * server sets, and the defaults of the others. Leaves out empty ones.
 * @throws {PortalError} PARAMETER_INVALID for a parameter that is unknown, wrong, missing or names a field that the
 * caller does not have; as `notPermitted` when the caller lacks a fact that the server would set
 */
export function checkParameters(
  operation: Operation,
  capability: Capability,
  given: Readonly<Record<string, unknown>>,
  caller: Caller,
): Record<string, ParameterValue> {
  const out: Record<string, ParameterValue> = {};
  const rules = operation.with ?? {};
  for (const name in given) {
    const value = given[name];
    if (value === undefined || value === null || value === '') continue;
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (!rule || !capability.parameters.has(name)) return refuse(name.slice(0, 40), 'is unknown here');
    const coerced = coerce(name, rule, value);
    check(name, rule, coerced);
    // The name of a field that is not the caller's is answered as a name that does not exist.
    if (capability.refused.get(name)?.has(String(coerced).replace(/^-/, ''))) refuse(name, 'names a field of others');
    out[name] = coerced;
  }
  for (const [name, fact] of capability.own) {
    const value = (
      caller.principal.facts as Omit<PrincipalFacts, 'look'> as Readonly<Record<string, string | undefined>>
    )[fact];
    if (!value) throw notPermitted(caller, `the caller has no ${fact}`);
    out[name] = value;
  }
  for (const name in rules) {
    if (Object.hasOwn(out, name)) continue;
    const { default: preset, required } = rules[name] as Rule;
    if (preset !== undefined && capability.parameters.has(name)) out[name] = preset;
    else if (required) refuse(name, 'is missing');
  }
  return out;
}
