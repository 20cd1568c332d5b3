import type { FastifyRequest } from 'fastify';
import { type RawBuilder, sql } from 'kysely';
import type { App } from '../../http/schema.ts';
import type { Parts } from '../../parts.ts';
import type { Database } from '../../tables.ts';
import { autotaskPath } from './paths.ts';
import {
  type AnyRow,
  adjustUnits,
  type ContractRow,
  contractsOf,
  findTenant,
  type LineRow,
  linesOf,
  type RecordRow,
  type Rows,
  recordsOf,
} from './store.ts';

/** When units end of which nobody has said when. */
const openEnd = '2099-12-31T00:00:00.000Z';
const zone = `${autotaskPath}/ATServicesRest/`;

/** An entity: its rows, which of its fields can be asked by, each as a column, and what one of its items is. */
type Entity = {
  readonly rows: Rows;
  readonly fields: Readonly<Record<string, RawBuilder<unknown>>>;
  show(row: AnyRow): object;
};
const entities: Readonly<Record<string, Entity>> = {
  Companies: {
    rows: recordsOf('customers'),
    fields: { isActive: sql`active` },
    show: ({ id, name, active }: RecordRow) => ({ id, companyName: name, companyType: 1, isActive: active }),
  },
  Services: {
    rows: recordsOf('services'),
    fields: { isActive: sql`active` },
    show: ({ id, name, price, active }: RecordRow) => ({ id, name, unitPrice: price, isActive: active }),
  },
  Contracts: {
    rows: contractsOf,
    fields: { status: sql`active::int`, companyID: sql`customer` },
    show: ({ id, name, active, customer }: ContractRow) => ({
      id,
      contractName: name,
      companyID: customer,
      contractType: 7,
      status: Number(active),
    }),
  },
  ContractServiceUnits: {
    rows: linesOf,
    fields: {
      contractID: sql`contract`,
      startDate: sql`starts`,
      endDate: sql`coalesce(ends, ${openEnd}::timestamptz)`,
    },
    show: ({ id, contract, service, quantity, cost, starts, ends }: LineRow) => ({
      id,
      contractID: contract,
      serviceID: service,
      units: quantity,
      cost,
      startDate: starts,
      endDate: ends ?? openEnd,
    }),
  },
};
const comparisons: Readonly<Record<string, RawBuilder<unknown>>> = {
  eq: sql`=`,
  lt: sql`<`,
  lte: sql`<=`,
  gt: sql`>`,
  gte: sql`>=`,
};

type Query = {
  readonly filter?: readonly { readonly op?: unknown; readonly field?: unknown; readonly value?: unknown }[];
  readonly MaxRecords?: unknown;
  readonly IncludeFields?: readonly unknown[];
};
/** Content of the address of a next page: where the last one ended, and what was asked. */
type Paging = { readonly after: number; readonly query: Query };

/** Answer of Autotask to a request that it does not take. */
class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * Adds the stand-in for the API of Autotask, a business system: companies, services and contracts, in its own format.
 */
export function addAutotaskRoutes(app: App, { db }: Parts): void {
  app.register(async (scope: App) => {
    scope.setErrorHandler((error, _request, reply) => {
      const { status, message } = error instanceof Refusal ? error : new Refusal(500, 'Unexpected.');
      return reply.code(status).send({ errors: [message] });
    });
    scope.get(`${zone}V1.0/zoneInformation`, { schema: { hide: true } }, async request => {
      const own = `${request.protocol}://${request.host}${autotaskPath}`;
      return { zoneName: 'Stand-in', url: `${own}/ATServicesRest/`, webUrl: `${own}/`, ci: 1 };
    });
    scope.post(`${zone}V1.0/Contracts/:parentId/ServiceAdjustments`, { schema: { hide: true } }, async request => {
      const tenant = await tenantOf(db, request);
      const { parentId } = request.params as { parentId: string };
      const { contractID, serviceID, unitChange, adjustedUnitCost, effectiveDate } = (request.body ?? {}) as Item;
      const from = new Date(String(effectiveDate));
      const isValid = Number.isInteger(unitChange) && !Number.isNaN(from.getTime()) && Number(parentId) === contractID;
      if (!isValid) throw new Refusal(500, 'The adjustment is not valid.');
      const itemId = await adjustUnits(db, tenant, {
        ...{ contract: Number(contractID), service: Number(serviceID), change: Number(unitChange), from },
        cost: typeof adjustedUnitCost === 'number' ? adjustedUnitCost : null,
      });
      if (itemId === undefined) throw new Refusal(500, 'The contract or service does not exist, or has fewer units.');
      return { itemId };
    });
    for (const [name, entity] of Object.entries(entities)) {
      const path = `${zone}V1.0/${name}/query`;
      scope.post(path, { schema: { hide: true } }, request =>
        readPage(db, entity, request, { after: 0, query: (request.body ?? {}) as Query }),
      );
      scope.get(`${path}/next`, { schema: { hide: true } }, request =>
        readPage(db, entity, request, pagingOf((request.query as Readonly<Record<string, string>>).paging ?? '')),
      );
    }
  });
}

type Item = Readonly<Record<string, unknown>>;

async function tenantOf(db: Database, { headers }: FastifyRequest): Promise<string> {
  const { username = '', secret = '', apiintegrationcode = '' } = headers;
  const credentials = { UserName: username, Secret: secret, ApiIntegrationCode: apiintegrationcode };
  const tenant = await findTenant(db, 1, credentials as Record<string, string>);
  if (tenant === undefined) throw new Refusal(401, 'The credentials are not valid.');
  return tenant;
}

async function readPage(
  db: Database,
  { rows: from, fields, show }: Entity,
  request: FastifyRequest,
  { after, query }: Paging,
) {
  const tenant = await tenantOf(db, request);
  const { filter = [], MaxRecords = 500, IncludeFields } = query;
  if (!Number.isInteger(MaxRecords) || Number(MaxRecords) < 1 || Number(MaxRecords) > 500)
    throw new Refusal(500, 'MaxRecords is not valid.');
  if (!Array.isArray(filter) || filter.length === 0) throw new Refusal(500, 'A query needs a filter.');
  const conditions = filter.map(({ op, field, value }) => {
    if (field === 'id' && op === 'exist') return sql`true`;
    const [column, compared] = [own(fields, field), own(comparisons, op)];
    const isValue = ['boolean', 'number', 'string'].includes(typeof value);
    if (!column || !compared || !isValue) throw new Refusal(500, `Unable to find ${String(field)} in the entity.`);
    return sql`${column} ${compared} ${value}`;
  });
  const size = Number(MaxRecords);
  const { rows } = await sql<AnyRow>`
    select * from (${from(tenant, 0)}) rows where ${sql.join(conditions, sql` and `)} and id > ${after}
    order by id limit ${size + 1}`.execute(db);
  const items = rows.slice(0, size).map(row => pick(show(row), IncludeFields));
  const paging = encodeURIComponent(JSON.stringify({ after: rows[size - 1]?.id, query }));
  const path = request.url.split('?')[0]?.replace(/\/next$/, '');
  const nextPageUrl = rows.length > size ? `${request.protocol}://${request.host}${path}/next?paging=${paging}` : null;
  return { items, pageDetails: { count: items.length, requestCount: size, prevPageUrl: null, nextPageUrl } };
}

const own = <T>(known: Readonly<Record<string, T>>, name: unknown): T | undefined =>
  Object.hasOwn(known, String(name)) ? known[String(name)] : undefined;

function pagingOf(text: string): Paging {
  try {
    const { after, query } = JSON.parse(text) as Partial<Paging>;
    if (Number.isInteger(after) && query && typeof query === 'object') return { after: Number(after), query };
  } catch {
    // Said below.
  }
  throw new Refusal(500, 'Paging is not valid.');
}

function pick(item: object, fields: readonly unknown[] | undefined): object {
  return Array.isArray(fields)
    ? Object.fromEntries(Object.entries(item).filter(([name]) => fields.includes(name)))
    : item;
}
