import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { Database } from '../../database/connect.ts';
import type { App } from '../../http/schema.ts';
import type { Kind } from '../tables.ts';
import { type Comparison, readConditions } from './conditions.ts';
import { findTenant, recordsOf } from './store.ts';

export const connectWisePath = '/psa/connectwise';
const apis = `${connectWisePath}/v4_6_release/apis/3.0`;

type Query = Readonly<Record<string, string | undefined>>;
type Row = { readonly id: number; readonly name: string; readonly price: number | null; readonly active: boolean };

/** How each list calls its columns, and what one of its items is. */
const lists = {
  '/company/companies': {
    kind: 'customers',
    columns: { id: 'id', name: 'name', deletedFlag: 'active' },
    show: ({ id, name, active }: Row) => ({
      id,
      identifier: identifierOf(name),
      name,
      status: active ? { id: 1, name: 'Active' } : { id: 2, name: 'Inactive' },
      deletedFlag: !active,
    }),
  },
  '/procurement/catalog': {
    kind: 'services',
    columns: { id: 'id', description: 'name', price: 'price', inactiveFlag: 'active' },
    show: ({ id, name, price, active }: Row) => ({
      id,
      identifier: identifierOf(name),
      description: name,
      customerDescription: name,
      price,
      recurringFlag: true,
      inactiveFlag: !active,
    }),
  },
} as const satisfies Record<string, { kind: Kind; columns: Record<string, string>; show: (row: Row) => object }>;
type List = (typeof lists)[keyof typeof lists];

const identifierOf = (name: string): string => name.replace(/[^\p{L}\p{N}]/gu, '').slice(0, 30);

/** What ConnectWise Manage says of a request that it does not take. */
class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Companies and catalogue of ConnectWise Manage, read as its own clients read them. */
export function addConnectWiseRoutes(app: App, db: Database): void {
  app.register(async (scope: App) => {
    scope.setErrorHandler((error, _request, reply) => {
      const { status, code, message } =
        error instanceof Refusal ? error : new Refusal(500, 'UnexpectedError', 'Unexpected.');
      return reply.code(status).send({ code, message, errors: null });
    });
    for (const [path, list] of Object.entries(lists)) {
      scope.get(`${apis}${path}`, { schema: { hide: true } }, (request, reply) => readPage(db, list, request, reply));
      scope.get(`${apis}${path}/count`, { schema: { hide: true } }, async request => {
        const rows = await narrowed(db, list, request);
        const { count } = await rows.select(on => on.fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
        return { count: Number(count) };
      });
      scope.get(`${apis}${path}/:id`, { schema: { hide: true } }, async request => {
        const { id } = request.params as { id: string };
        const rows = await narrowed(db, list, request);
        const row = await rows
          .where('id', '=', wholeNumber(id, 'id', 1))
          .selectAll()
          .executeTakeFirst();
        if (row === undefined) throw new Refusal(404, 'NotFound', `${path} ${id} not found`);
        return pick(list.show(row), request.query as Query);
      });
    }
  });
}

async function readPage(db: Database, list: List, request: FastifyRequest, reply: FastifyReply) {
  const { page = '1', pageSize = '25', orderBy = 'id asc', ...others } = request.query as Query;
  const [number, size] = [wholeNumber(page, 'page', 1), wholeNumber(pageSize, 'pageSize', 1, 1000)];
  const [, field = '', way = 'asc'] = /^([A-Za-z]+)(?:\s+(asc|desc))?$/i.exec(orderBy) ?? [];
  const column = columnOf(list, field);
  const rows = await (await narrowed(db, list, request))
    .selectAll()
    .orderBy(column, way.toLowerCase() === 'desc' ? 'desc' : 'asc')
    .orderBy('id')
    .offset((number - 1) * size)
    .limit(size + 1)
    .execute();
  const link = (to: number, rel: string) => {
    const query = new URLSearchParams({ ...(others as Record<string, string>), orderBy, pageSize, page: String(to) });
    return `<${request.protocol}://${request.host}${request.url.split('?')[0]}?${query}>; rel="${rel}"`;
  };
  const links = [rows.length > size && link(number + 1, 'next'), number > 1 && link(number - 1, 'prev')];
  const written = links.filter(Boolean).join(', ');
  if (written) reply.header('link', written);
  return rows.slice(0, size).map(row => pick(list.show(row), request.query as Query));
}

/** The records of the tenant that the request comes from, by its conditions. */
async function narrowed(db: Database, list: List, { headers, query }: FastifyRequest) {
  const [, login = ''] = /^Basic (.+)$/i.exec(headers.authorization ?? '') ?? [];
  const [, companyId = '', publicKey = '', privateKey = ''] =
    /^([^+]*)\+([^:]*):(.*)$/.exec(Buffer.from(login, 'base64').toString()) ?? [];
  const clientId = String(headers.clientid ?? '');
  const tenant = await findTenant(db, 6, { companyId, publicKey, privateKey, clientId });
  if (tenant === undefined) throw new Refusal(401, 'Unauthorized', 'You do not have access.');
  const conditions = readConditions((query as Query).conditions ?? '');
  if (!conditions) throw new Refusal(400, 'InvalidCondition', 'Condition could not be read.');
  let rows = recordsOf(db, { tenant, kind: list.kind, active: undefined });
  for (const condition of conditions) rows = rows.where(compare(list, condition));
  return rows;
}

function compare(list: List, { field, is, value }: Comparison) {
  const column = columnOf(list, field);
  if (column === 'active') return sql<boolean>`active ${is === '!=' ? sql`=` : sql`<>`} ${value}`;
  if (is === 'contains')
    return sql<boolean>`${sql.ref(column)} ilike ${`%${String(value).replace(/[\\%_]/g, '\\$&')}%`}`;
  if (is === 'like') return sql<boolean>`${sql.ref(column)} ilike ${String(value)}`;
  return sql<boolean>`${sql.ref(column)} ${sql.raw(is === '!=' ? '<>' : is)} ${value}`;
}

function columnOf({ columns }: List, field: string) {
  const found = Object.entries(columns).find(([name]) => name.toLowerCase() === field.toLowerCase());
  if (!found) throw new Refusal(400, 'InvalidField', `Field ${field} is not valid.`);
  return found[1] as 'id' | 'name' | 'price' | 'active';
}

function wholeNumber(text: string, name: string, low: number, high = 2 ** 31 - 1): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= low && number <= high) return number;
  throw new Refusal(400, 'InvalidParameter', `${name} is not valid.`);
}

/** What `fields` asks for; all without it. */
function pick(item: object, { fields }: Query): object {
  if (!fields) return item;
  const names = new Set(fields.split(',').map(name => name.trim().toLowerCase()));
  return Object.fromEntries(Object.entries(item).filter(([name]) => names.has(name.toLowerCase())));
}
