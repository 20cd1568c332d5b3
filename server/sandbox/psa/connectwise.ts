import { mostPages, nameIn, PsaFailure, readJson } from './http.ts';
import type { PsaRecord, ReadPsa } from './records.ts';

/** The most that one page may hold. */
const pageSize = 1000;

const lists = {
  customers: { path: '/company/companies', conditions: 'deletedFlag=false', fields: 'id,name' },
  services: { path: '/procurement/catalog', conditions: 'inactiveFlag=false', fields: 'id,description,price' },
} as const;

type Item = {
  readonly id?: unknown;
  readonly name?: unknown;
  readonly description?: unknown;
  readonly price?: unknown;
};

/** ConnectWise Manage: pages by number, the last of which is not full. */
export const connectWise: ReadPsa = async ({ base, credentials }, kind) => {
  const { companyId, publicKey, privateKey, clientId = '' } = credentials;
  const { path, conditions, fields } = lists[kind];
  const login = Buffer.from(`${companyId}+${publicKey}:${privateKey}`).toString('base64');
  const headers = { authorization: `Basic ${login}`, clientId, accept: 'application/json' };
  const records: PsaRecord[] = [];
  for (let page = 1; page <= mostPages; page += 1) {
    const query = new URLSearchParams({
      conditions,
      fields,
      orderBy: 'id asc',
      page: String(page),
      pageSize: String(pageSize),
    });
    const items = await readJson(`${base}/v4_6_release/apis/3.0${path}?${query}`, { headers });
    if (!Array.isArray(items)) throw new PsaFailure('The business system did not answer with a list.');
    for (const item of items as Item[]) {
      const name = nameIn(item.name ?? item.description);
      if (Number.isInteger(item.id) && name !== '')
        records.push({ id: String(item.id), name, price: typeof item.price === 'number' ? item.price : null });
    }
    if (items.length < pageSize) return records;
  }
  throw new PsaFailure('The business system has more than can be read.');
};
