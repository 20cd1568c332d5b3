import type { StepKind, Steps } from '../session/steps.ts';
import type { FoundScreen } from './resolve-screen.ts';

/** Screens that go on with a flow, and are nothing without it (document 1, section 2.1). */
const awaited: Readonly<Record<string, StepKind>> = { '/change-password': 'new-password', '/sign-in': 'password' };

/** False for a screen whose flow this browser is not in, or is in for another username. */
export async function isAwaited(
  steps: Steps,
  { pattern, query }: FoundScreen,
  step: string | undefined,
): Promise<boolean> {
  const kind = awaited[pattern];
  if (kind === undefined) return true;
  const waiting = await steps.find(step, kind);
  if (waiting === undefined) return false;
  return kind !== 'password' || ('username' in waiting && waiting.username === query.get('username'));
}
