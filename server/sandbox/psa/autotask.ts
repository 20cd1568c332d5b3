import { momentIn, mostPages, nameIn, numberIn, PsaFailure, readJson } from './http.ts';
import type { PsaAddress, PsaClient, PsaLine } from './records.ts';

/** The most that one page may hold. */
const pageSize = 500;

const isActive = [{ op: 'eq', field: 'isActive', value: true }];
const lists = {
  customers: { entity: 'Companies', filter: isActive, IncludeFields: ['id', 'companyName'] },
  services: { entity: 'Services', filter: isActive, IncludeFields: ['id', 'name', 'unitPrice'] },
} as const;
/** Of a contract that runs. */
const active = 1;

type Query = {
  readonly entity: string;
  readonly filter: readonly { readonly op: string; readonly field: string; readonly value: unknown }[];
  readonly IncludeFields: readonly string[];
};
type Item = Readonly<Record<string, unknown>>;
type Page = { readonly items?: readonly Item[]; readonly pageDetails?: { readonly nextPageUrl?: unknown } };

/** Autotask: what its contracts bill are units of services, for a time each. */
export const autotask: PsaClient = {
  name: 'Autotask',
  async read(address, kind) {
    const items = await readAll(address, lists[kind]);
    return items.flatMap(({ id, companyName, name, unitPrice }) => {
      const said = nameIn(companyName ?? name);
      const isRecord = Number.isInteger(id) && said !== '';
      return isRecord ? [{ id: String(id), name: said, price: typeof unitPrice === 'number' ? unitPrice : null }] : [];
    });
  },
  async readContracts(address, at) {
    const contracts = await readAll(address, {
      entity: 'Contracts',
      filter: [{ op: 'eq', field: 'status', value: active }],
      IncludeFields: ['id', 'contractName', 'companyID'],
    });
    const billed = await readAll(address, unitsAt(at));
    const lines = new Map<unknown, PsaLine[]>(contracts.map(({ id }) => [id, []]));
    for (const unit of billed) lines.get(unit.contractID)?.push(...lineOf(unit));
    return contracts.map(({ id, contractName, companyID }) => ({
      id: String(id),
      name: nameIn(contractName),
      customer: String(companyID),
      lines: lines.get(id) ?? [],
    }));
  },
  async readLines(address, contract, at) {
    const units = await readAll(address, unitsAt(at, { op: 'eq', field: 'contractID', value: Number(contract) }));
    return units.flatMap(lineOf);
  },
  /** Units cannot be set: they are adjusted by a number, from a day on. */
  async writeLine(address, { contract, line, service, after, from }) {
    const { api, headers } = await openZone(address);
    const adjustment = {
      ...{ contractID: Number(contract), serviceID: Number(service), effectiveDate: `${from}T00:00:00Z` },
      unitChange: (after?.quantity ?? 0) - (line?.quantity ?? 0),
      ...(after?.cost != null && { adjustedUnitCost: Number(after.cost) }),
    };
    const url = ownAddress(`${api}Contracts/${contract}/ServiceAdjustments`, address.base);
    await readJson(url, { method: 'POST', headers, body: JSON.stringify(adjustment) });
  },
};

/** The query of the units that contracts bill at a moment. */
const unitsAt = (at: Date, ...more: Query['filter']): Query => ({
  entity: 'ContractServiceUnits',
  filter: [
    { op: 'lte', field: 'startDate', value: at.toISOString() },
    { op: 'gt', field: 'endDate', value: at.toISOString() },
    ...more,
  ],
  IncludeFields: ['id', 'contractID', 'serviceID', 'units', 'cost', 'startDate'],
});

function lineOf({ id, serviceID, units, cost, startDate }: Item): PsaLine[] {
  const said = { id: String(id), service: String(serviceID), cost: numberIn(cost), since: momentIn(startDate) };
  return typeof units === 'number' ? [{ ...said, quantity: units }] : [];
}

/** Asks where the account lives; all else is asked there. */
async function openZone({ base, credentials }: PsaAddress) {
  const { UserName = '', Secret = '', ApiIntegrationCode = '' } = credentials;
  const headers = { UserName, Secret, ApiIntegrationCode, 'content-type': 'application/json' };
  const zone = (await readJson(
    `${base}/ATServicesRest/V1.0/zoneInformation?${new URLSearchParams({ user: UserName })}`,
    { headers },
  )) as { readonly url?: unknown };
  return { api: `${zone.url}V1.0/`, headers };
}

/** All of an entity: first where the account lives, then a query whose pages each name the address of the next. */
async function readAll(address: PsaAddress, { entity, ...asked }: Query): Promise<Item[]> {
  const { base } = address;
  const { api, headers } = await openZone(address);
  const own = ownAddress(`${api}${entity}/query`, base);
  const all: Item[] = [];
  let next: string | undefined;
  for (let page = 1; page <= mostPages; page += 1) {
    const body = JSON.stringify({ ...asked, MaxRecords: pageSize });
    const reply = (await (next === undefined
      ? readJson(own, { method: 'POST', headers, body })
      : readJson(next, { headers }))) as Page;
    if (!Array.isArray(reply?.items)) throw new PsaFailure('The business system did not answer with a list.');
    all.push(...reply.items);
    const url = reply.pageDetails?.nextPageUrl;
    if (url === null || url === undefined) return all;
    next = ownAddress(url, base);
  }
  throw new PsaFailure('The business system has more than can be read.');
}

/** Credentials go to no host but the one that they were given for. */
function ownAddress(url: unknown, base: string): string {
  const address = URL.canParse(String(url)) ? new URL(String(url)) : undefined;
  if (address?.origin !== new URL(base).origin) throw new PsaFailure('The business system led elsewhere.');
  return address.href;
}
