import type { Envelope } from '../../../shared/contract/envelope.ts';
import type { NavigationLayout } from '../../../shared/language/types.ts';
import type { TrimmedLayout } from '../../layouts/index.ts';
import type { Caller } from '../../operations/caller.ts';
import { readFirstData } from './first-data.ts';
import type { RouteParts } from './route-dependencies.ts';

const found = new WeakMap<TrimmedLayout, Pick<NavigationLayout, 'data' | 'state'>>();

/** The data sources of the navigation that its notices read; the bell's and those of the search are none of them. */
function noticeSources(navigation: TrimmedLayout): Pick<NavigationLayout, 'data' | 'state'> {
  let sources = found.get(navigation);
  if (!sources) {
    const { notice, data = {}, state = {} } = navigation.layout as NavigationLayout;
    const read = new Set(Array.from(JSON.stringify(notice ?? []).matchAll(/\bdata\.(\w+)/g), ([, name]) => name));
    sources = { data: Object.fromEntries(Object.entries(data).filter(([name]) => read.has(name))), state };
    found.set(navigation, sources);
  }
  return sources;
}

/**
 * Reads the first replies of what the notices below the header show, by source name, so that a page is painted with them
 * and nothing pushes it down later. Leaves out what takes longer than a screen waits, and what fails: no page is refused
 * for a notice.
 */
export async function readNoticeData(
  { services, patience }: RouteParts,
  caller: Caller,
): Promise<Record<string, Envelope>> {
  const { navigation } = caller.access;
  if (!navigation || !caller.session) return {};
  return readFirstData(services, caller, noticeSources(navigation), {}, patience).catch(() => ({}));
}
