import type { CatalogueEntry, DataSource, LayoutText, ScreenLayout, TableNode } from '../../shared/language/types.ts';
import { isMet } from '../../shared/rules/condition.ts';
import { type FormatContext, type FormatName, formatValue, isMoney } from '../../shared/rules/format.ts';
import { isDecimal } from '../../shared/rules/money.ts';
import { readPath, type Scope } from '../../shared/rules/path.ts';
import { readRequest } from '../../shared/rules/read-request.ts';
import { interpolate } from '../../shared/rules/text.ts';
import { readOperation } from '../calls/operation.ts';
import { PortalError } from '../errors.ts';
import type { Caller } from '../operations/caller.ts';
import type { Services } from '../operations/services.ts';
import type { Cell, FileTable } from './cell.ts';
import { dayCell } from './day-cell.ts';

/** Maximum rows of a file, and of a call to the cloud. */
const longest = 10_000;
const pageSize = 100;

type Column = TableNode['columns'][number];

/** Name of the parameter of a source that is bound to a place of the address. */
function parameterAt(source: DataSource, place: string | undefined): string | undefined {
  return place === undefined ? undefined : Object.keys(source.with ?? {}).find(name => source.with?.[name] === place);
}

/** The columns of the file: what stands in a second line on the page has a column of its own. */
function spread(columns: readonly Column[]): Column[] {
  return columns.flatMap(({ detail, detailTitle, ...column }) =>
    detail !== undefined && detailTitle !== undefined ? [column, { title: detailTitle, path: detail }] : [column],
  );
}

/** Money is a plain number, so that it can be summed; its currency stands in the head. */
function titleOf({ title, format }: Column, currency: string): string {
  return isMoney(format) ? `${interpolate(title, {})} (${currency})` : interpolate(title, {});
}

/** Formats whose values a spreadsheet is to sum; without a format a number is written as it is. */
const summed: readonly unknown[] = ['number', 'currency', 'text', undefined];

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
  'short-date': 'date',
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
 * The rows of a table as the caller may see them, for the filter in `route`, whatever page it shows: read a page at a
 * time, through the same check and projection as any read. Throws NOT_FOUND for a table that is not to be exported.
 */
export function exportTable(
  services: Services,
  caller: Caller,
  layout: ScreenLayout,
  table: TableNode,
  route: Readonly<Record<string, string>>,
): FileTable {
  const name = table.rows.split('.')[1] ?? '';
  const source = layout.data && Object.hasOwn(layout.data, name) ? layout.data[name] : undefined;
  if (!table.export || !table.rows.startsWith('data.') || !source)
    throw new PortalError('NOT_FOUND', { detail: `table ${table.id}` });
  const { facts } = caller.principal;
  // A file has no browser to ask.
  const { timeZone } = services;
  const scope: Scope = { route, principal: facts, state: layout.state ?? {}, data: {} };
  const columns = spread(table.columns.filter(column => isMet(column.when, scope)));
  const words = { yes: wordOf(caller, 'yes'), no: wordOf(caller, 'no') };
  const context: FormatContext = { locale: facts.locale, currency: facts.currency, timeZone, words };
  const request = readRequest(source, scope);
  if (!request) throw new PortalError('NOT_FOUND', { detail: `source ${name} has no parameters here` });
  const given = Object.fromEntries(new URLSearchParams(request.query));
  const pageParameter = parameterAt(source, table.paging?.page);
  const sizeParameter = parameterAt(source, table.paging?.size);

  async function readRows(page: number): Promise<readonly unknown[]> {
    const parameters = {
      ...given,
      ...(pageParameter && { [pageParameter]: page }),
      ...(sizeParameter && { [sizeParameter]: pageSize }),
    };
    const { envelope } = await readOperation(services, caller, { operation: request?.operation ?? '', parameters });
    if (!envelope.Succeed) throw new PortalError('UPSTREAM_FAILED', { detail: `page ${page} of ${table.id}` });
    const rows = readPath({ data: { [name]: envelope } }, table.rows);
    return Array.isArray(rows) ? rows : [];
  }

  async function* pages(): AsyncGenerator<Cell[][]> {
    let count = 0;
    for (let page = 1; count < longest; page++) {
      const rows = await readRows(page);
      count += rows.length;
      yield rows.map(row => columns.map(column => writeCell(column, row, context)));
      if (!pageParameter || rows.length < (sizeParameter ? pageSize : 1)) return;
    }
  }
  return { titles: columns.map(column => titleOf(column, facts.currency)), pages: pages() };
}

function wordOf({ access }: Caller, key: string): string {
  return interpolate((access.words[key] as LayoutText | undefined) ?? key, {});
}
