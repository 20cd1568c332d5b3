import { matchRoute } from '../../../shared/rules/route.ts';
import type { Outline } from '../../layouts/index.ts';

/** A test of a role: an address of a screen, or the name of a call, and whether the role is to open it. */
export type RoleTest = { readonly what: string; readonly may: boolean };

/** Lines of a text, without empty ones. */
export const linesOf = (text: unknown): string[] => [
  ...new Set(
    String(text ?? '')
      .split('\n')
      .map(line => line.trim())
      .filter(line => line !== ''),
  ),
];

/** The tests of a role, as it keeps them. */
export const testsOf = (may: readonly string[], mayNot: readonly string[]): RoleTest[] => [
  ...may.map(what => ({ what, may: true })),
  ...mayNot.map(what => ({ what, may: false })),
];

/**
 * Judges a test by what some rights come to. `isWhole` is false where the role has further rights, which could only open
 * more: what they decide is unknown.
 */
export function runRoleTest(
  { what, may }: RoleTest,
  { screens, calls }: Outline,
  isWhole: boolean,
): 'Passes' | 'Fails' | 'Unknown' {
  const opens = what.startsWith('/')
    ? matchRoute([...screens.keys()], what.split(/[?#]/, 1)[0] ?? '') !== undefined || screens.has(what)
    : calls.has(what);
  if (opens) return may ? 'Passes' : 'Fails';
  if (!isWhole) return 'Unknown';
  return may ? 'Fails' : 'Passes';
}
