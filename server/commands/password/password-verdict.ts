import type { PasswordRules } from '../../../shared/models/password-rules.ts';
import { networkOf } from '../../../shared/rules/ip-address.ts';
import { meetsRule } from '../../../shared/rules/password.ts';
import { createPatternTest } from '../../layouts/names/pattern.ts';
import type { CommandContext } from '../command.ts';

export type PasswordVerdict = {
  /** 0 to 4. */
  readonly score: number;
  /** True when the score reaches every rule about it. */
  readonly isStrong: boolean;
  /** Each rule with a name, in order. */
  readonly named: readonly { readonly name: string; readonly isMet: boolean }[];
  /** What the rules that are not met say, once each. */
  readonly faults: readonly string[];
};

/**
 * Checks a new password against the cloud's rules: gives its score, whether it is strong enough, which named rules it
 * meets and what the others say. `score` is that of the password, 0 to 4. Patterns run in bounded time.
 */
export function ratePassword(rules: PasswordRules, password: string, score: number): PasswordVerdict {
  const test = createPatternTest();
  const results = rules.map(rule => ({ rule, isMet: meetsRule(rule, password, score, test) }));
  const faults = results.flatMap(({ rule, isMet }) => (isMet ? [] : [rule.Message ?? '']));
  return {
    score,
    isStrong: results.every(({ rule, isMet }) => isMet || rule.Type !== 'MinimumScore'),
    named: results.flatMap(({ rule, isMet }) => (rule.Name ? [{ name: rule.Name, isMet }] : [])),
    faults: [...new Set(faults)],
  };
}

/**
 * Does what `ratePassword` does for a caller, by the cloud's rules and within the limits on scores.
 * @throws {PortalError} TOO_MANY and BUSY beyond these, and what the cloud's silence throws
 */
export async function ratePasswordFor(
  { caller, services }: Pick<CommandContext, 'caller' | 'services'>,
  password: string,
): Promise<PasswordVerdict> {
  const rules = await services.passwords.rules();
  const asking = caller.session?.account ?? networkOf(caller.address);
  return ratePassword(rules, password, await services.passwordScores.score(password, asking));
}
