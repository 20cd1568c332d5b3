import { pageEvents, serverEvents } from '../../../shared/language/events.ts';
import type { EventNames } from '../names/scope.ts';
import type { LongDocument } from '../names/source.ts';

const known = new WeakMap<LongDocument['json'], EventNames>();

/** Lists the events that a document publishes and those that it listens to. */
export function eventsIn({ json }: LongDocument): EventNames {
  const before = known.get(json);
  if (before) return before;
  const published = new Set<string>();
  const heard = new Set<string>();
  const visit = (value: unknown): void => {
    if (value === null || typeof value !== 'object') return;
    const { do: effect, event, refreshOn } = value as { do?: unknown; event?: unknown; refreshOn?: unknown };
    if (effect === 'publish' && typeof event === 'string') published.add(event);
    if (Array.isArray(refreshOn)) for (const name of refreshOn) heard.add(String(name));
    for (const item of Object.values(value)) visit(item);
  };
  visit(json);
  known.set(json, { published, heard });
  return { published, heard };
}

/** Lists the events that all documents publish and listen to, with those of the server and of the page itself. */
export function eventNamesOf(sources: readonly LongDocument[]): EventNames {
  const events = sources.map(eventsIn);
  return {
    published: new Set([...Object.keys(serverEvents), ...events.flatMap(({ published }) => [...published])]),
    heard: new Set([...Object.keys(pageEvents), ...events.flatMap(({ heard }) => [...heard])]),
  };
}
