import { bodyAt, callAt, nameless, replyAt } from '../open-api.ts';
import type { OpenApi } from '../open-api-types.ts';

/** A call of the cloud that an area is made of. */
export type AreaCall = { readonly method: string; readonly path: string };

/** The calls that the cloud offers at a list and at its items. */
export type AreaCalls = {
  readonly list: AreaCall;
  readonly get?: AreaCall;
  readonly create?: AreaCall;
  readonly update?: AreaCall;
  readonly delete?: AreaCall;
  /** Verbs on an item that take no body, by their names. */
  readonly verbs: Readonly<Record<string, AreaCall>>;
  /** Lists of objects that an item has, such as its activity, by their names. */
  readonly lists: Readonly<Record<string, AreaCall>>;
};

/** Whether a call gives objects as Items. */
function givesItems(openApi: OpenApi, { method, path }: AreaCall): boolean {
  const { result } = replyAt(openApi, method, path) ?? {};
  const { items } = result?.properties?.Items ?? {};
  return items?.properties !== undefined;
}

/**
 * Finds what the cloud offers at a list's address and below it. Throws where it gives no list there.
 */
export function areaCalls(openApi: OpenApi, from: string): AreaCalls {
  const paths = Object.keys(openApi.paths);
  const at = (wanted: string): string | undefined => paths.find(path => nameless(path) === wanted);
  const offered = (path: string | undefined, ...methods: readonly string[]): AreaCall | undefined => {
    const method = path === undefined ? undefined : methods.find(one => callAt(openApi, one, path));
    return path === undefined || method === undefined ? undefined : { method, path };
  };
  const list = offered(at(nameless(from)), 'GET');
  if (!list) throw new Error(`The cloud does not offer "GET ${from}".`);
  const item = at(`${nameless(from)}/{}`);
  const below = paths.flatMap((path): (readonly [name: string, path: string])[] => {
    const [, name = ''] = /\/([a-z][a-z-]*)$/.exec(path) ?? [];
    return item !== undefined && nameless(path) === `${nameless(item)}/${name}` ? [[name, path]] : [];
  });
  const offeredBelow = (method: string, fits: (call: AreaCall) => boolean): Readonly<Record<string, AreaCall>> =>
    Object.fromEntries(
      below.flatMap(([name, path]) => {
        const call = offered(path, method);
        return call && fits(call) ? [[name, call]] : [];
      }),
    );
  const takesNothing = ({ method, path }: AreaCall): boolean =>
    Object.keys(bodyAt(openApi, method, path)?.properties ?? {}).length === 0;
  const known = {
    ...{ get: offered(item, 'GET'), create: offered(list.path, 'POST'), update: offered(item, 'PUT', 'PATCH') },
    ...{ delete: offered(item, 'DELETE') },
  };
  return {
    list,
    ...Object.fromEntries(Object.entries(known).filter(([, call]) => call !== undefined)),
    verbs: offeredBelow('POST', takesNothing),
    lists: offeredBelow('GET', call => givesItems(openApi, call)),
  };
}
