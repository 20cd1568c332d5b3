import type { ReactNode } from 'react';
import { Message } from '../runtime/effects/message.tsx';
import { usePortalObject } from '../runtime/state/portal.ts';
import { useWord } from '../runtime/state/values.ts';

/** Drawn for a node whose type this build does not know: offers to reload with the newer build. */
export function Unknown(): ReactNode {
  const portal = usePortalObject();
  const text = useWord('update.title');
  const reload = useWord('update.reload');
  return <Message kind="info" text={text} action={{ text: reload, run: () => portal.host.reload() }} />;
}
