import { mostPages, nameIn, PsaFailure, readJson } from './http.ts';
import type { PsaRecord, ReadPsa } from './records.ts';

/** The most that one page may hold. */
const pageSize = 500;

const lists = {
  customers: { entity: 'Companies', IncludeFields: ['id', 'companyName'] },
  services: { entity: 'Services', IncludeFields: ['id', 'name', 'unitPrice'] },
} as const;

type Item = {
  readonly id?: unknown;
  readonly name?: unknown;
  readonly companyName?: unknown;
  readonly unitPrice?: unknown;
};
type Page = { readonly items?: readonly Item[]; readonly pageDetails?: { readonly nextPageUrl?: unknown } };

/** Autotask: first where the account lives, then a query whose pages each name the address of the next. */
export const autotask: ReadPsa = async ({ base, credentials }, kind) => {
  const { UserName = '', Secret = '', ApiIntegrationCode = '' } = credentials;
  const headers = { UserName, Secret, ApiIntegrationCode, 'content-type': 'application/json' };
  const zone = (await readJson(
    `${base}/ATServicesRest/V1.0/zoneInformation?${new URLSearchParams({ user: UserName })}`,
    { headers },
  )) as { readonly url?: unknown };
  const { entity, IncludeFields } = lists[kind];
  const own = ownAddress(`${zone.url}V1.0/${entity}/query`, base);
  const records: PsaRecord[] = [];
  let next: string | undefined;
  for (let page = 1; page <= mostPages; page += 1) {
    const query = { filter: [{ op: 'eq', field: 'isActive', value: true }], MaxRecords: pageSize, IncludeFields };
    const reply = (await (next === undefined
      ? readJson(own, { method: 'POST', headers, body: JSON.stringify(query) })
      : readJson(next, { headers }))) as Page;
    if (!Array.isArray(reply?.items)) throw new PsaFailure('The business system did not answer with a list.');
    for (const item of reply.items as Item[]) {
      const name = nameIn(item.companyName ?? item.name);
      if (Number.isInteger(item.id) && name !== '')
        records.push({ id: String(item.id), name, price: typeof item.unitPrice === 'number' ? item.unitPrice : null });
    }
    const url = reply.pageDetails?.nextPageUrl;
    if (url === null || url === undefined) return records;
    next = ownAddress(url, base);
  }
  throw new PsaFailure('The business system has more than can be read.');
};

/** Credentials go to no host but the one that they were given for. */
function ownAddress(url: unknown, base: string): string {
  const address = URL.canParse(String(url)) ? new URL(String(url)) : undefined;
  if (address?.origin !== new URL(base).origin) throw new PsaFailure('The business system led elsewhere.');
  return address.href;
}
