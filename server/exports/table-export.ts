import { setTimeout as sleep } from 'node:timers/promises';
import type { Envelope } from '../../shared/contract/envelope.ts';
import type { CatalogueEntry, DataSource, LayoutText, ScreenLayout, TableNode } from '../../shared/language/types.ts';
import { isMet } from '../../shared/rules/condition.ts';
import { type FormatContext, type FormatName, formatValue, isMoney } from '../../shared/rules/format.ts';
import { joinRows, keysToJoin } from '../../shared/rules/joined-rows.ts';
import { isDecimal } from '../../shared/rules/money.ts';
import { bindAll, readPath, type Scope } from '../../shared/rules/path.ts';
import { readRequest } from '../../shared/rules/read-request.ts';
import { interpolate, resolveText } from '../../shared/rules/text.ts';
import { readOperation } from '../calls/operation.ts';
import { PortalError } from '../errors.ts';
import type { Caller } from '../operations/caller.ts';
import type { Services } from '../operations/services.ts';
import type { Cell, FileTable } from './cell.ts';
import { dayCell, hasTime } from './day-cell.ts';

/** Rows of a file that is sent at once; a longer one is made in the background. */
export const mostAtOnce = 5000;
/** Rows of a call to the cloud. */
const pageSize = 100;
/** Milliseconds before a page is asked for again, where the file is made in the background. */
const pauses = [500, 3000];

/** A table that is open to be written, as the caller may see it. */
export type OpenTable = FileTable & {
  /** Its label, with what that says of the address; fit for the name of a file. */
  readonly title: string;
  /** Paths of its columns. */
  readonly paths: readonly string[];
  /** How many rows there are, or at least; undefined where the table has no pages. */
  readonly total: number | undefined;
  /** False where `total` is only a lower bound. */
  readonly isExact: boolean;
};

type Column = TableNode['columns'][number];

/** Name of the parameter of a source that is bound to a place of the address. */
function parameterAt(source: DataSource, place: string | undefined): string | undefined {
  return place === undefined ? undefined : Object.keys(source.with ?? {}).find(name => source.with?.[name] === place);
}

/** The columns of the file: what stands in a second line on the page has a column of its own. */
function spread(columns: readonly Column[]): Column[] {
  return columns.flatMap(({ detail, detailTitle, detailFormat, ...column }) =>
    detail !== undefined && detailTitle !== undefined
      ? [column, { title: detailTitle, path: detail, ...(detailFormat && { format: detailFormat }) }]
      : [column],
  );
}

/**
 * Money and shares of 100 are plain numbers, so that one can calculate with them; their unit stands in the head, as does
 * the zone of times.
 */
function titleOf({ title, format }: Column, { currency, timeZone }: FormatContext): string {
  const unit = isMoney(format) ? currency : format === 'percent' ? '%' : hasTime(format) ? timeZone : undefined;
  return unit === undefined ? interpolate(title, {}) : `${interpolate(title, {})} (${unit})`;
}

/** Formats whose values a spreadsheet is to sum; without a format a number is written as it is. */
const summed: readonly unknown[] = ['number', 'percent', 'currency', 'text', undefined];

/** Rounds as a screen does, from the decimal string. */
const money = new Intl.NumberFormat('en', {
  useGrouping: false,
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});

/** How a file writes what is short on a page: "09:30" says which day only today. */
const fullOf: Readonly<Record<string, FormatName>> = {
  'friendly-date': 'date-time',
  'long-date-time': 'date-time',
  'hyphen-date-time': 'date-time',
  'short-date': 'date',
  weekday: 'date',
};

function writeCell({ path, format, catalogue }: Column, row: unknown, context: FormatContext): Cell {
  const value = readPath({ row }, path);
  const entry = (catalogue as readonly CatalogueEntry[] | undefined)?.find(one => one.value === value);
  if (entry) return interpolate(entry.text, {});
  if (isMoney(format) && isDecimal(value)) return { number: money.format(value), isMoney: true };
  if (typeof value === 'number' && summed.includes(format)) return { number: String(value) };
  const text = formatValue(value, fullOf[format ?? ''] ?? format, context);
  return dayCell(value, format, context.timeZone, text) ?? text;
}

/**
 * What a screen is about, for the name of a file: its title, where the address says it, else what the address names;
 * '' for a list of everything, and where the label of the table says it.
 */
function subjectOf({ route, title, values = {} }: ScreenLayout, scope: Scope, locale: string, label: string): string {
  const named = [...route.matchAll(/\{(\w+)\}/g)].map(([, name = '']) =>
    String(readPath(scope, `route.${name}`) ?? ''),
  );
  if (named.length === 0 || named.every(name => label.includes(name))) return '';
  const known = bindAll(values, scope);
  const isKnown = Object.keys(values).length > 0 && Object.keys(values).every(name => known[name] !== undefined);
  return isKnown ? resolveText(title, values, scope, locale) : named.join(' ');
}

/** What a table is read by: its source, its columns that are shown, and how their values are written. */
function planExport(
  { timeZone }: Pick<Services, 'timeZone'>,
  caller: Caller,
  layout: ScreenLayout,
  table: TableNode,
  route: Readonly<Record<string, string>>,
) {
  const name = table.rows.split('.')[1] ?? '';
  const source = layout.data && Object.hasOwn(layout.data, name) ? layout.data[name] : undefined;
  if (!table.export || !table.rows.startsWith('data.') || !source)
    throw new PortalError('NOT_FOUND', { detail: `table ${table.id}` });
  const { facts } = caller.principal;
  const scope: Scope = { route, principal: facts, state: layout.state ?? {}, data: {} };
  const words = { yes: wordOf(caller, 'yes'), no: wordOf(caller, 'no') };
  // A file has no browser to ask.
  const context: FormatContext = { locale: facts.locale, currency: facts.currency, timeZone, words };
  const request = readRequest(source, scope, keysToJoin);
  if (!request) throw new PortalError('NOT_FOUND', { detail: `source ${name} has no parameters here` });
  const label = resolveText(table.label, table.values, scope, facts.locale, (value, format) =>
    formatValue(value, format, context),
  );
  const title = [subjectOf(layout, scope, facts.locale, label), label]
    .filter(part => part !== '')
    .join(' - ')
    .replace(/[\\/:*?"<>|]/g, '-');
  return {
    name,
    source,
    request,
    context,
    scope,
    title: title || layout.id,
    columns: spread(table.columns.filter(({ when }) => isMet(when, scope))),
  };
}

type Sources = Readonly<Record<string, DataSource>>;

/** The data sources that join what a column of the file shows to the rows of its table. */
function joinsRead({ data = {} }: ScreenLayout, { rows }: TableNode, columns: readonly Column[]): Sources {
  const isRead = (name: string): boolean => columns.some(({ path }) => path.startsWith(`row.${name}.`));
  return Object.fromEntries(
    Object.entries(data).filter(([name, source]) => source.rows === rows && isRead(source.as ?? name)),
  );
}

/** Reads what is joined to a page of rows. A file has all of a page or is not made. */
async function readJoined(
  services: Services,
  caller: Caller,
  joins: Sources,
  scope: Scope,
  signal: AbortSignal | undefined,
): Promise<Readonly<Record<string, Envelope>>> {
  const read = Object.entries(joins).map(async ([name, source]) => {
    const request = readRequest(source, scope, keysToJoin);
    if (!request) return [];
    const parameters = Object.fromEntries(new URLSearchParams(request.query));
    const { envelope } = await readOperation(services, caller, { operation: request.operation, parameters, signal });
    if (!envelope.Succeed)
      throw new PortalError('UPSTREAM_FAILED', { detail: `${request.operation} of a page of rows` });
    return [[name, envelope] as const];
  });
  return Object.fromEntries((await Promise.all(read)).flat());
}

/**
 * Opens a table for export as the caller may see it, filtered as `route` says: reads its first page, and the others as
 * they are asked for, checked and projected like any read. With `signal`, which stops it, failed pages are read again.
 * @throws {PortalError} NOT_FOUND for a table that is not to be exported, and as `readOperation`
 */
export async function openTable(
  services: Services,
  caller: Caller,
  layout: ScreenLayout,
  table: TableNode,
  route: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<OpenTable> {
  const {
    name,
    source,
    request,
    context,
    scope: around,
    title,
    columns,
  } = planExport(services, caller, layout, table, route);
  const joins = joinsRead(layout, table, columns);
  const given = Object.fromEntries(new URLSearchParams(request.query));
  const pageParameter = parameterAt(source, table.paging?.page);
  const sizeParameter = parameterAt(source, table.paging?.size);

  async function readPage(page: number) {
    const parameters = {
      ...given,
      ...(pageParameter && { [pageParameter]: page }),
      ...(sizeParameter && { [sizeParameter]: pageSize }),
    };
    const { envelope } = await readOperation(services, caller, { operation: request.operation, parameters, signal });
    if (!envelope.Succeed) throw new PortalError('UPSTREAM_FAILED', { detail: `page ${page} of ${table.id}` });
    const scope = { data: { [name]: envelope } };
    const joined = await readJoined(services, caller, joins, { ...around, ...scope }, signal);
    const rows = readPath({ data: joinRows({ ...scope.data, ...joined }, joins, () => false) }, table.rows);
    return { scope, rows: Array.isArray(rows) ? rows : [] };
  }

  /** A long list is not given up for one page that fails once. */
  async function readPatiently(page: number): ReturnType<typeof readPage> {
    for (const pause of signal ? pauses : []) {
      try {
        return await readPage(page);
      } catch (error) {
        if (!(error instanceof PortalError) || !error.code.startsWith('UPSTREAM')) throw error;
        await sleep(pause, undefined, { signal, ref: false });
      }
    }
    return await readPage(page);
  }

  const first = await readPage(1);
  async function* pages(): AsyncGenerator<Cell[][]> {
    for (let page = 1; ; page++) {
      const { rows } = page === 1 ? first : await readPatiently(page);
      yield rows.map(row => columns.map(column => writeCell(column, row, context)));
      if (!pageParameter || rows.length < (sizeParameter ? pageSize : 1)) return;
    }
  }
  const { paging } = table;
  const total = paging && readPath(first.scope, paging.total);
  return {
    title,
    titles: columns.map(column => titleOf(column, context)),
    paths: columns.map(({ path }) => path),
    total: typeof total === 'number' ? total : undefined,
    isExact: paging?.exact === undefined || readPath(first.scope, paging.exact) !== false,
    pages: pages(),
  };
}

/**
 * Gives the rows of a table that is exported at once, page by page. Throws when the list turns out longer than allowed,
 * so that nobody takes a cut file for a whole one.
 */
export async function* boundedPages({ pages, total }: OpenTable): AsyncGenerator<readonly (readonly Cell[])[]> {
  let count = 0;
  for await (const page of pages) {
    count += page.length;
    // Rows may come in while it is read.
    if (total !== undefined && count > 2 * mostAtOnce)
      throw new PortalError('UPSTREAM_FAILED', { detail: 'a list without an end' });
    yield page;
  }
}

function wordOf({ access }: Caller, key: string): string {
  return interpolate((access.words[key] as LayoutText | undefined) ?? key, {});
}
