import type { FastifyRequest } from 'fastify';
import type { Database } from '../../database/connect.ts';
import type { App } from '../../http/schema.ts';
import type { Kind } from '../tables.ts';
import { findTenant, recordsOf } from './store.ts';

export const autotaskPath = '/psa/autotask';
const zone = `${autotaskPath}/ATServicesRest/`;

type Row = { readonly id: number; readonly name: string; readonly price: number | null; readonly active: boolean };
const entities = {
  Companies: {
    kind: 'customers',
    show: ({ id, name, active }: Row) => ({ id, companyName: name, companyType: 1, isActive: active }),
  },
  Services: {
    kind: 'services',
    show: ({ id, name, price, active }: Row) => ({ id, name, unitPrice: price, isActive: active }),
  },
} as const satisfies Record<string, { kind: Kind; show: (row: Row) => object }>;
type Entity = (typeof entities)[keyof typeof entities];

type Query = {
  readonly filter?: readonly { readonly op?: unknown; readonly field?: unknown; readonly value?: unknown }[];
  readonly MaxRecords?: unknown;
  readonly IncludeFields?: readonly unknown[];
};
/** What the address of a next page says: where the last one ended, and what was asked. */
type Paging = { readonly after: number; readonly query: Query };

/** What Autotask says of a request that it does not take. */
class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Companies and services of Autotask, read as its own clients read them. */
export function addAutotaskRoutes(app: App, db: Database): void {
  app.register(async (scope: App) => {
    scope.setErrorHandler((error, _request, reply) => {
      const { status, message } = error instanceof Refusal ? error : new Refusal(500, 'Unexpected.');
      return reply.code(status).send({ errors: [message] });
    });
    scope.get(`${zone}V1.0/zoneInformation`, { schema: { hide: true } }, async request => {
      const own = `${request.protocol}://${request.host}${autotaskPath}`;
      return { zoneName: 'Stand-in', url: `${own}/ATServicesRest/`, webUrl: `${own}/`, ci: 1 };
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

async function readPage(db: Database, { kind, show }: Entity, request: FastifyRequest, { after, query }: Paging) {
  const { username = '', secret = '', apiintegrationcode = '' } = request.headers;
  const credentials = { UserName: username, Secret: secret, ApiIntegrationCode: apiintegrationcode };
  const tenant = await findTenant(db, 1, credentials as Record<string, string>);
  if (tenant === undefined) throw new Refusal(401, 'The credentials are not valid.');
  const { filter = [], MaxRecords = 500, IncludeFields } = query;
  if (!Number.isInteger(MaxRecords) || Number(MaxRecords) < 1 || Number(MaxRecords) > 500)
    throw new Refusal(500, 'MaxRecords is not valid.');
  if (!Array.isArray(filter) || filter.length === 0) throw new Refusal(500, 'A query needs a filter.');
  let active: boolean | undefined;
  for (const { op, field, value } of filter) {
    const isActive = field === 'isActive' && op === 'eq' && typeof value === 'boolean';
    const isAny = field === 'id' && op === 'exist';
    if (!isActive && !isAny) throw new Refusal(500, `Unable to find ${String(field)} in the Company Entity.`);
    if (isActive) active = value;
  }
  const size = Number(MaxRecords);
  const rows = await recordsOf(db, { tenant, kind, active })
    .selectAll()
    .where('id', '>', after)
    .orderBy('id')
    .limit(size + 1)
    .execute();
  const items = rows.slice(0, size).map(row => pick(show(row), IncludeFields));
  const paging = encodeURIComponent(JSON.stringify({ after: rows[size - 1]?.id, query }));
  const path = request.url.split('?')[0]?.replace(/\/next$/, '');
  const nextPageUrl = rows.length > size ? `${request.protocol}://${request.host}${path}/next?paging=${paging}` : null;
  return { items, pageDetails: { count: items.length, requestCount: size, prevPageUrl: null, nextPageUrl } };
}

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
