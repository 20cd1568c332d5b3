import type { PasswordRules } from '../../../shared/models/password-rules.ts';
import { meetsRule } from '../../../shared/rules/password.ts';
import { scorePassword } from '../../../shared/rules/password-score.ts';
import { createPatternTest } from '../../layouts/pattern.ts';

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
 * meets and what the others say. Patterns run in bounded time.
 */
export async function ratePassword(rules: PasswordRules, password: string): Promise<PasswordVerdict> {
  const score = await scorePassword(password);
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
