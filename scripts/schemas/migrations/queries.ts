import { commandDeclarations } from '../../../server/commands/index.ts';
import { routesOf } from '../../../server/layouts/check/documents.ts';
import { routeNamesOf } from '../../../server/layouts/compile/route-names.ts';
import { expandDocuments } from '../../../server/layouts/expand/expand.ts';
import { parseSource, type Source } from '../../../server/layouts/load/load.ts';
import { usesOf } from '../../../server/layouts/parts/part.ts';
import { compareRoutes, matchRoute } from '../../../shared/rules/route.ts';
import { setIn } from '../edit-folder.ts';
import type { Migration } from './migration.ts';

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(stringsIn) : [];
}

const namesRead = (json: unknown): string[] =>
  stringsIn(json).flatMap(text =>
    [...text.matchAll(/(?:^|\{)route\.([A-Za-z0-9_-]+)(?=$|\})/g)].map(([, name]) => String(name)),
  );

/**
 * Migration: declares in the `query` of each screen the names that it or its forms read from the address (`route.x`),
 * or that a link to it sends, and that it does not declare yet. Screens with parts are left alone.
 */
export const toQueries: Migration = documents => {
  const written = documents.flatMap(({ file, text }) => {
    const source = parseSource(file, text);
    return 'file' in source ? [source as Source] : [];
  });
  const sources = expandDocuments(written, commandDeclarations);
  const screens = sources.filter(({ kind }) => kind === 'screen');
  const forms = new Map(sources.flatMap(source => (source.kind === 'form' ? [[source.json.id, source.json]] : [])));
  const wanted = new Map(
    screens.map(source => {
      const written = JSON.stringify(source.json).matchAll(/"form":"([a-z0-9-]+)"/g);
      const shown = [...written].flatMap(([, id]) => forms.get(id) ?? []);
      return [source, new Set([source.json, ...shown].flatMap(namesRead))];
    }),
  );
  const byRoute = new Map(screens.flatMap(source => routesOf(source).map(({ route }) => [route, source] as const)));
  const patterns = [...byRoute.keys()].sort(compareRoutes);
  for (const text of sources.flatMap(({ json }) => stringsIn(json))) {
    if (!/^\/[^\s]*\?/.test(text)) continue;
    const [path = '', query = ''] = text.split(/[?#]/);
    const pattern = matchRoute(patterns, path.replace(/\{[^{}]+\}/g, '\u0000'))?.pattern;
    const names = pattern === undefined ? undefined : wanted.get(byRoute.get(pattern) as Source);
    for (const pair of query.split('&')) names?.add(pair.split('=')[0] as string);
  }
  for (const [source, names] of wanted) {
    if (usesOf(source).length > 0) continue;
    const variants = ((source.json.also ?? []) as object[]).map(also => ({
      ...source,
      json: { ...source.json, ...also },
    }));
    const known = new Set([source, ...variants].flatMap(one => [...routeNamesOf(one)]));
    const missing = [...names].filter(name => name !== '' && !known.has(name));
    const document = documents.find(({ file }) => file === source.file);
    if (document && missing.length > 0)
      setIn(document, ['query'], [...((source.json.query as string[] | undefined) ?? []), ...missing], 'route');
  }
  return [];
};
