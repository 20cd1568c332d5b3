import { Script } from 'node:vm';
import { scorePassword } from '../../../shared/rules/password-score.ts';
import type { Database, Tables } from '../tables.ts';

type PasswordRule = Tables['password_rules'];

/**
 * Reads the password rules in the form of the reply (document 1, sections 5 and 7). A rule with a `Name` is shown in a
 * checklist.
 */
export async function readRules(db: Database) {
  const rows = await db.selectFrom('password_rules').selectAll().orderBy('position').execute();
  return rows.map(({ type, name, value, patterns, message }) => ({
    Type: type,
    ...(name !== null && { Name: name }),
    ...(value !== null && { Value: value }),
    ...(type === 'pattern' && { Regex: patterns[0] ?? '' }),
    ...(type === 'MultiplePattern' && { Patterns: patterns }),
    Message: message,
  }));
}

/** Gives the messages of the rules that a new password breaks, each once; empty for a valid password. */
export async function validatePassword(db: Database, password: string): Promise<string[]> {
  const rows = await db.selectFrom('password_rules').selectAll().orderBy('position').execute();
  const faults = new Set<string>();
  for (const row of rows) if (!(await isMet(row, password))) faults.add(row.message);
  return [...faults];
}

async function isMet({ type, value, patterns }: PasswordRule, password: string): Promise<boolean> {
  switch (type) {
    case 'required':
      return password !== '';
    case 'minLength':
    case 'MinimumLength':
      return [...password].length >= (value ?? 0);
    case 'MinimumScore':
      return (await scorePassword(password)) >= (value ?? 0);
    case 'pattern':
    case 'MultiplePattern':
      return patterns.every(pattern => matches(pattern, password));
  }
}

const matcher = new Script('expression.test(value)');

/** A pattern that takes too long is not met. */
function matches(pattern: string, value: string): boolean {
  try {
    return matcher.runInNewContext({ expression: new RegExp(pattern, 'u'), value }, { timeout: 250 }) === true;
  } catch {
    return false;
  }
}
