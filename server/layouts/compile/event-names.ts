import { pageEvents, serverEvents } from '../../../shared/language/events.ts';
import type { Source } from '../load/load.ts';
import type { EventNames } from './scope.ts';

/** The events that the documents publish and listen to, with those of the server and of the page itself. */
export function eventNamesOf(sources: readonly Source[]): EventNames {
  const published = new Set(Object.keys(serverEvents));
  const heard = new Set(Object.keys(pageEvents));
  const visit = (value: unknown): void => {
    if (value === null || typeof value !== 'object') return;
    const { do: effect, event, refreshOn } = value as { do?: unknown; event?: unknown; refreshOn?: unknown };
    if (effect === 'publish' && typeof event === 'string') published.add(event);
    if (Array.isArray(refreshOn)) for (const name of refreshOn) heard.add(String(name));
    for (const item of Object.values(value)) visit(item);
  };
  for (const { json } of sources) visit(json);
  return { published, heard };
}
