import type { StepKind, Steps } from '../session/steps.ts';

/** Screens that go on with a flow, and are nothing without it (document 1, section 2.1). */
const awaited: Readonly<Record<string, StepKind>> = { '/change-password': 'new-password' };

/** False for a screen whose flow this browser is not in. */
export async function isAwaited(steps: Steps, pattern: string, step: string | undefined): Promise<boolean> {
  const kind = awaited[pattern];
  return kind === undefined || (await steps.find(step, kind)) !== undefined;
}
