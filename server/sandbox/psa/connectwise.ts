import { momentIn, mostPages, nameIn, numberIn, PsaFailure, readJson } from './http.ts';
import type { PsaAddress, PsaClient, PsaContract } from './records.ts';

/** The most that one page may hold. */
const pageSize = 1000;
/** Agreements whose additions are read at the same time. */
const atOnce = 8;

const lists = {
  customers: { path: '/company/companies', conditions: 'deletedFlag=false', fields: 'id,name' },
  services: { path: '/procurement/catalog', conditions: 'inactiveFlag=false', fields: 'id,description,price' },
} as const;

type Query = { readonly conditions?: string; readonly fields: string };
type Item = Readonly<Record<string, unknown>>;

/** ConnectWise Manage: its contracts are agreements, what they bill are additions of them. */
export const connectWise: PsaClient = {
  name: 'ConnectWise',
  async read(address, kind) {
    const { path, ...query } = lists[kind];
    const items = await readAll(address, path, query);
    return items.flatMap(({ id, name, description, price }) => {
      const said = nameIn(name ?? description);
      const isRecord = Number.isInteger(id) && said !== '';
      return isRecord ? [{ id: String(id), name: said, price: typeof price === 'number' ? price : null }] : [];
    });
  },
  async readContracts(address, at) {
    const query = { conditions: 'cancelledFlag=false', fields: 'id,name,company,endDate,noEndingDateFlag' };
    const all = await readAll(address, '/finance/agreements', query);
    const agreements = all.filter(({ endDate, noEndingDateFlag }) => noEndingDateFlag === true || !isOver(endDate, at));
    const contracts: PsaContract[] = [];
    for (let from = 0; from < agreements.length; from += atOnce) {
      const some = agreements.slice(from, from + atOnce);
      contracts.push(...(await Promise.all(some.map(agreement => readContract(address, agreement, at)))));
    }
    return contracts;
  },
  async readLines(address, contract, at) {
    const { lines } = await readContract(address, { id: Number(contract) }, at);
    return lines;
  },
  async writeLine(address, { contract, line, service, after, from }) {
    const additions = `/finance/agreements/${contract}/additions`;
    const cost = after?.cost == null ? null : Number(after.cost);
    if (line) {
      const values = after
        ? { quantity: after.quantity + (line.included ?? 0), ...(cost !== null && { unitCost: cost }) }
        : { cancelledDate: `${from}T00:00:00Z` };
      const operations = Object.entries(values).map(([path, value]) => ({ op: 'replace', path, value }));
      await send(address, 'PATCH', `${additions}/${line.id}`, operations);
    } else if (after) {
      await send(address, 'POST', additions, {
        product: { id: Number(service) },
        ...{ quantity: after.quantity, ...(cost !== null && { unitCost: cost }) },
        ...{ billCustomer: 'Billable', effectiveDate: `${from}T00:00:00Z` },
      });
    }
  },
};

async function readContract(address: PsaAddress, { id, name, company }: Item, at: Date): Promise<PsaContract> {
  if (!Number.isInteger(id)) throw new PsaFailure('The business system did not answer with a list.');
  const fields = 'id,product,quantity,lessIncluded,billCustomer,unitCost,effectiveDate,cancelledDate';
  const additions = await readAll(address, `/finance/agreements/${id}/additions`, { fields });
  const lines = additions.flatMap(addition => {
    const { product, quantity, unitCost, effectiveDate, cancelledDate } = addition;
    const isNow = !isAfter(effectiveDate, at) && !isOver(cancelledDate, at);
    const said = { service: idOf(product), cost: numberIn(unitCost), since: momentIn(effectiveDate) };
    if (!isNow || typeof quantity !== 'number' || !billsCustomer(addition)) return [];
    // Units that the agreement includes are taken off those that the customer pays.
    const included = Math.max(0, numberIn(addition.lessIncluded) ?? 0);
    const paid = { id: String(addition.id), ...said, quantity: Math.max(0, quantity - included) };
    return [included > 0 ? { ...paid, included } : paid];
  });
  return { id: String(id), name: nameIn(name), customer: idOf(company), lines };
}

/** False for an addition that is recorded only ("DoNotBill"), or stands on the invoice at no charge ("NoCharge"). */
const billsCustomer = ({ billCustomer }: Item): boolean => billCustomer !== 'DoNotBill' && billCustomer !== 'NoCharge';

const idOf = (reference: unknown): string => String((reference as Item | null | undefined)?.id ?? '');
/** True once a day or moment at which something ends has come; false where nothing is said. */
const isOver = (date: unknown, at: Date): boolean => typeof date === 'string' && date !== '' && !isAfter(date, at);
const isAfter = (date: unknown, at: Date): boolean => typeof date === 'string' && Date.parse(date) > at.getTime();

const apis = '/v4_6_release/apis/3.0';

function headersOf({ companyId, publicKey, privateKey, clientId = '' }: PsaAddress['credentials']) {
  const login = Buffer.from(`${companyId}+${publicKey}:${privateKey}`).toString('base64');
  return { authorization: `Basic ${login}`, clientId, accept: 'application/json' };
}

async function send({ base, credentials }: PsaAddress, method: string, path: string, body: object): Promise<void> {
  const headers = { ...headersOf(credentials), 'content-type': 'application/json' };
  await readJson(`${base}${apis}${path}`, { method, headers, body: JSON.stringify(body) });
}

/** All of a list: pages by number, the last of which is not full. */
async function readAll({ base, credentials }: PsaAddress, path: string, query: Query): Promise<Item[]> {
  const headers = headersOf(credentials);
  const all: Item[] = [];
  for (let page = 1; page <= mostPages; page += 1) {
    const asked = { ...query, orderBy: 'id asc', page: String(page), pageSize: String(pageSize) };
    const items = await readJson(`${base}${apis}${path}?${new URLSearchParams(asked)}`, { headers });
    if (!Array.isArray(items)) throw new PsaFailure('The business system did not answer with a list.');
    all.push(...items);
    if (items.length < pageSize) return all;
  }
  throw new PsaFailure('The business system has more than can be read.');
}
