import type { ScreenLayout } from '../../shared/language/types.ts';
import type { SignInStages } from '../session/sign-in-stages.ts';
import type { FoundScreen } from './resolve-screen.ts';

/** False for a screen that goes on with a flow (`awaits`) which this browser is not in, or is in for another username. */
export async function isAwaited(
  steps: SignInStages,
  { layout, query }: FoundScreen,
  step: string | undefined,
): Promise<boolean> {
  const { awaits } = layout.layout as ScreenLayout;
  if (awaits === undefined) return true;
  const waiting = await steps.find(step, awaits);
  if (waiting === undefined) return false;
  return awaits !== 'password' || ('username' in waiting && waiting.username === query.get('username'));
}
