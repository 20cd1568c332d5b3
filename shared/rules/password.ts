import type { PasswordRule } from '../models/password-rules.ts';
import type { PatternTest } from './validation.ts';

/** True when a password meets a rule; `score` is 0 to 4 (document 1, section 5). Lengths are in characters. */
export function meetsRule(rule: PasswordRule, password: string, score: number, test: PatternTest): boolean {
  switch (rule.Type) {
    case 'required':
      return password !== '';
    case 'minLength':
    case 'MinimumLength':
      return [...password].length >= rule.Value;
    case 'MinimumScore':
      return score >= rule.Value;
    case 'pattern':
      return test(rule.Regex, password);
    case 'MultiplePattern':
      return rule.Patterns.every(pattern => test(pattern, password));
  }
}
