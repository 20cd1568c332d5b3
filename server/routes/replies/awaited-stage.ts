import type { ScreenLayout } from '../../../shared/language/types.ts';
import type { SignInStages } from '../../session/sign-in-stages.ts';
import type { FoundScreen } from './resolve-screen.ts';

/**
 * True when the browser may open a screen: the screen continues no sign-in stage (`awaits`), or this browser is in that
 * stage, for the username of the address.
 */
export async function isAwaited(
  stages: SignInStages,
  { layout, query }: FoundScreen,
  stage: string | undefined,
): Promise<boolean> {
  const { awaits } = layout.layout as ScreenLayout;
  if (awaits === undefined) return true;
  const waiting = await stages.find(stage, awaits);
  if (waiting === undefined) return false;
  return awaits !== 'password' || ('username' in waiting && waiting.username === query.get('username'));
}
