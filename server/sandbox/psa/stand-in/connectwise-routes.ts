import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { App } from '../../http/schema.ts';
import type { Parts } from '../../parts.ts';
import type { Database } from '../../tables.ts';
import { billCustomers } from '../tables.ts';
import { type Comparison, readConditions } from './conditions.ts';
import { connectWisePath } from './paths.ts';
import {
  type AnyRow,
  addLine,
  type ContractRow,
  changeLine,
  contractsOf,
  findTenant,
  type LineRow,
  type LineValues,
  linesOfContract,
  type RecordRow,
  type Rows,
  recordsOf,
} from './store.ts';

const apis = `${connectWisePath}/v4_6_release/apis/3.0`;

type Query = Readonly<Record<string, string | undefined>>;
/** A list: its rows, how it calls their columns, and what one of its items is. */
type List = {
  readonly path: string;
  readonly rows: Rows;
  readonly columns: Readonly<Record<string, string>>;
  show(row: AnyRow): object;
};
const additionList: List = {
  path: '/finance/agreements/:parentId/additions',
  rows: linesOfContract,
  columns: { id: 'id', quantity: 'quantity' },
  show: ({ id, contract, service, service_name, quantity, cost, ...row }: LineRow) => ({
    id,
    agreementId: contract,
    product: { id: service, identifier: identifierOf(service_name) },
    description: service_name,
    quantity,
    unitCost: cost,
    lessIncluded: row.less_included,
    billCustomer: row.bill_customer,
    effectiveDate: row.starts,
    ...(row.ends && { cancelledDate: row.ends }),
  }),
};
const lists: readonly List[] = [
  {
    path: '/company/companies',
    rows: recordsOf('customers'),
    columns: { id: 'id', name: 'name', deletedFlag: 'active' },
    show: ({ id, name, active }: RecordRow) => ({
      id,
      identifier: identifierOf(name),
      name,
      status: active ? { id: 1, name: 'Active' } : { id: 2, name: 'Inactive' },
      deletedFlag: !active,
    }),
  },
  {
    path: '/procurement/catalog',
    rows: recordsOf('services'),
    columns: { id: 'id', description: 'name', price: 'price', inactiveFlag: 'active' },
    show: ({ id, name, price, active }: RecordRow) => ({
      id,
      identifier: identifierOf(name),
      description: name,
      customerDescription: name,
      price,
      recurringFlag: true,
      inactiveFlag: !active,
    }),
  },
  {
    path: '/finance/agreements',
    rows: contractsOf,
    columns: { id: 'id', name: 'name', 'company/id': 'customer', cancelledFlag: 'active' },
    show: ({ id, name, active, customer, customer_name, ends }: ContractRow) => ({
      id,
      name,
      type: { id: 1, name: 'Managed services' },
      company: { id: customer, identifier: identifierOf(customer_name), name: customer_name },
      agreementStatus: active ? 'Active' : 'Cancelled',
      cancelledFlag: !active,
      noEndingDateFlag: ends === null,
      ...(ends && { endDate: ends }),
    }),
  },
  additionList,
];

const identifierOf = (name: string): string => name.replace(/[^\p{L}\p{N}]/gu, '').slice(0, 30);

/** Answer of ConnectWise Manage to a request that it does not take. */
class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/**
 * Adds the stand-in for the API of ConnectWise Manage, a business system: companies, catalogue and agreements, in its
 * own format.
 */
export function addConnectWiseRoutes(app: App, { db }: Parts): void {
  app.register(async (scope: App) => {
    scope.setErrorHandler((error, _request, reply) => {
      const { status, code, message } =
        error instanceof Refusal ? error : new Refusal(500, 'UnexpectedError', 'Unexpected.');
      return reply.code(status).send({ code, message, errors: null });
    });
    for (const list of lists) {
      const at = `${apis}${list.path}`;
      scope.get(at, { schema: { hide: true } }, (request, reply) => readPage(db, list, request, reply));
      scope.get(`${at}/count`, { schema: { hide: true } }, async request => {
        const { rows } = await sql<{ readonly count: number }>`
          select count(*)::int as count ${await narrowed(db, list, request)}`.execute(db);
        return { count: rows[0]?.count };
      });
      scope.get(`${at}/:id`, { schema: { hide: true } }, async request => {
        const { id } = request.params as { id: string };
        const found = await narrowed(db, list, request);
        const { rows } = await sql<AnyRow>`select * ${found} and id = ${wholeNumber(id, 'id', 1)}`.execute(db);
        if (!rows[0]) throw new Refusal(404, 'NotFound', `${list.path} ${id} not found`);
        return pick(list.show(rows[0]), request.query as Query);
      });
    }
    addAdditionWrites(scope, db);
  });
}

const additions = `${apis}/finance/agreements/:parentId/additions`;
type Addition = Readonly<Record<string, unknown>> & { readonly product?: { readonly id?: unknown } };

/** Additions of agreements are added whole, and changed field by field (JSON Patch, RFC 6902). */
function addAdditionWrites(scope: App, db: Database): void {
  const shown = async (request: FastifyRequest, id: number | undefined) => {
    const { rows } =
      await sql<AnyRow>`select * ${await narrowed(db, additionList, request)} and id = ${id ?? 0}`.execute(db);
    if (!rows[0]) throw new Refusal(404, 'NotFound', 'Addition not found');
    return additionList.show(rows[0]);
  };
  scope.post(additions, { schema: { hide: true } }, async (request, reply) => {
    const tenant = await tenantOf(db, request);
    const { product, ...given } = (request.body ?? {}) as Addition;
    const { parentId } = request.params as { parentId: string };
    const values = readValues(given);
    if (values.quantity === undefined) throw new Refusal(400, 'InvalidObject', 'quantity is required.');
    const line = {
      ...values,
      quantity: values.quantity,
      contract: Number(parentId) || 0,
      service: Number(product?.id) || 0,
    };
    const id = await addLine(db, tenant, line);
    if (id === undefined) throw new Refusal(404, 'NotFound', `Agreement ${parentId} or its product not found`);
    return reply.code(201).send(await shown(request, id));
  });
  scope.patch(`${additions}/:id`, { schema: { hide: true } }, async request => {
    const { id, parentId } = request.params as { id: string; parentId: string };
    await shown(request, Number(id));
    const operations = Array.isArray(request.body) ? (request.body as readonly Operation[]) : [];
    if (operations.length === 0 || operations.some(({ op }) => op !== 'replace'))
      throw new Refusal(400, 'InvalidObject', 'Only "replace" is taken.');
    const values = readValues(Object.fromEntries(operations.map(({ path, value }) => [String(path), value])));
    await changeLine(db, { contract: Number(parentId), id: Number(id) }, values);
    return shown(request, Number(id));
  });
}

type Operation = { readonly op?: unknown; readonly path?: unknown; readonly value?: unknown };

/** Reads the values of an addition that can be written, by our names. */
function readValues(given: Readonly<Record<string, unknown>>): LineValues {
  const number = (name: string): number | undefined => {
    const value = given[name];
    if (value === undefined) return undefined;
    if (typeof value !== 'number' || !(value >= 0)) throw new Refusal(400, 'InvalidObject', `${name} is not valid.`);
    return value;
  };
  const moment = (name: string): Date | undefined => {
    const value = given[name];
    if (value === undefined) return undefined;
    if (typeof value !== 'string' || Number.isNaN(Date.parse(value)))
      throw new Refusal(400, 'InvalidObject', `${name} is not valid.`);
    return new Date(value);
  };
  const values = {
    ...{ quantity: number('quantity'), cost: number('unitCost'), less_included: number('lessIncluded') },
    bill_customer: billCustomers.find(one => one === given.billCustomer),
  };
  if (given.billCustomer !== undefined && values.bill_customer === undefined)
    throw new Refusal(400, 'InvalidObject', 'billCustomer is not valid.');
  return { ...values, starts: moment('effectiveDate'), ends: moment('cancelledDate') };
}

async function readPage(db: Database, list: List, request: FastifyRequest, reply: FastifyReply) {
  const { page = '1', pageSize = '25', orderBy = 'id asc', ...others } = request.query as Query;
  const [number, size] = [wholeNumber(page, 'page', 1), wholeNumber(pageSize, 'pageSize', 1, 1000)];
  const [, field = '', way = 'asc'] = /^([A-Za-z]+)(?:\s+(asc|desc))?$/i.exec(orderBy) ?? [];
  const { rows } = await sql<AnyRow>`
    select * ${await narrowed(db, list, request)}
    order by ${sql.ref(columnOf(list, field))} ${way.toLowerCase() === 'desc' ? sql`desc` : sql`asc`}, id
    offset ${(number - 1) * size} limit ${size + 1}`.execute(db);
  const link = (to: number, rel: string) => {
    const query = new URLSearchParams({ ...(others as Record<string, string>), orderBy, pageSize, page: String(to) });
    return `<${request.protocol}://${request.host}${request.url.split('?')[0]}?${query}>; rel="${rel}"`;
  };
  const links = [rows.length > size && link(number + 1, 'next'), number > 1 && link(number - 1, 'prev')];
  const written = links.filter(Boolean).join(', ');
  if (written) reply.header('link', written);
  return rows.slice(0, size).map(row => pick(list.show(row), request.query as Query));
}

/** The tenant that the request comes from. */
async function tenantOf(db: Database, { headers }: FastifyRequest): Promise<string> {
  const [, login = ''] = /^Basic (.+)$/i.exec(headers.authorization ?? '') ?? [];
  const [, companyId = '', publicKey = '', privateKey = ''] =
    /^([^+]*)\+([^:]*):(.*)$/.exec(Buffer.from(login, 'base64').toString()) ?? [];
  const clientId = String(headers.clientid ?? '');
  const tenant = await findTenant(db, 6, { companyId, publicKey, privateKey, clientId });
  if (tenant === undefined) throw new Refusal(401, 'Unauthorized', 'You do not have access.');
  return tenant;
}

/** The rows of a list of the tenant that the request comes from, by its conditions. */
async function narrowed(db: Database, list: List, request: FastifyRequest) {
  const { query, params } = request;
  const tenant = await tenantOf(db, request);
  const conditions = readConditions((query as Query).conditions ?? '');
  if (!conditions) throw new Refusal(400, 'InvalidCondition', 'Condition could not be read.');
  const { parentId = '1' } = params as { readonly parentId?: string };
  const compared = conditions.map(condition => compare(list, condition));
  return sql`from (${list.rows(tenant, wholeNumber(parentId, 'parentId', 1))}) rows
    where ${sql.join([sql`true`, ...compared], sql` and `)}`;
}

function compare(list: List, { field, is, value }: Comparison) {
  const column = columnOf(list, field);
  if (column === 'active') return sql`active ${is === '!=' ? sql`=` : sql`<>`} ${value}`;
  if (is === 'contains') return sql`${sql.ref(column)} ilike ${`%${String(value).replace(/[\\%_]/g, '\\$&')}%`}`;
  if (is === 'like') return sql`${sql.ref(column)} ilike ${String(value)}`;
  return sql`${sql.ref(column)} ${sql.raw(is === '!=' ? '<>' : is)} ${value}`;
}

function columnOf({ columns }: List, field: string): string {
  const found = Object.entries(columns).find(([name]) => name.toLowerCase() === field.toLowerCase());
  if (!found) throw new Refusal(400, 'InvalidField', `Field ${field} is not valid.`);
  return found[1];
}

function wholeNumber(text: string, name: string, low: number, high = 2 ** 31 - 1): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= low && number <= high) return number;
  throw new Refusal(400, 'InvalidParameter', `${name} is not valid.`);
}

/** Picks the fields that `fields` asks for; all without it. */
function pick(item: object, { fields }: Query): object {
  if (!fields) return item;
  const names = new Set(fields.split(',').map(name => name.trim().toLowerCase()));
  return Object.fromEntries(Object.entries(item).filter(([name]) => names.has(name.toLowerCase())));
}
