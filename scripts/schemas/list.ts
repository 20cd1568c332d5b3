import type { Principal } from '../../server/access/principal.ts';
import type { Compiled } from '../../server/layouts/names/pass.ts';
import { emitDocument, emitUntilStable, reach } from '../../server/layouts/trim/trim.ts';
import { compareRoutes } from '../../shared/rules/route.ts';
import { interpolate } from '../../shared/rules/text.ts';
import { principalWithAllRights, userTypes } from './principal.ts';

type Row = { readonly route: string; readonly screen: string; readonly title: string; readonly file: string };

/** Lists the screens that a caller may open, in the order of their addresses. */
export function screensOf(compiled: Compiled, principal: Principal): Row[] {
  const reached = reach(compiled, emitUntilStable(compiled, principal, emitDocument));
  return [...reached]
    .flatMap(([key, { layout }]) => {
      if (layout.kind !== 'screen') return [];
      const { file } = compiled.documents.get(key)?.source ?? { file: '' };
      return [{ route: layout.route, screen: layout.id, title: interpolate(layout.title, {}), file }];
    })
    .sort((a, b) => compareRoutes(a.route, b.route));
}

/** Formats rows under column titles as aligned text for the terminal. */
export function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = titles.map((title, index) => Math.max(title.length, ...rows.map(row => (row[index] ?? '').length)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd();
  return [line(titles), line(widths.map(width => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

/** Writes the list of screens as text: for one user type with titles and files, or for all user types side by side. */
export function listScreens(compiled: Compiled, type: string | undefined, without: readonly string[]): string {
  if (type !== undefined) {
    const rows = screensOf(compiled, principalWithAllRights(compiled, type, without));
    const cells = rows.map(({ route, screen, title, file }) => [route, screen, title, file]);
    return `${table(['Address', 'Screen', 'Title', 'File'], cells)}\n\n${rows.length} screens as ${type}`;
  }
  const byType = userTypes.map(one => screensOf(compiled, principalWithAllRights(compiled, one, without)));
  const all = new Map(byType.flat().map(row => [row.route, row]));
  const routes = [...all.keys()].sort(compareRoutes);
  const cells = routes.map(route => [
    route,
    all.get(route)?.screen ?? '',
    ...byType.map(rows => (rows.some(row => row.route === route) ? 'yes' : '-')),
  ]);
  return `${table(['Address', 'Screen', ...userTypes], cells)}\n\n${routes.length} screens`;
}
