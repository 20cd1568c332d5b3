import type { Write } from '../tables.ts';

/** Gives every reseller a link by which its people come to a portal with its brand: the name, in lower case. */
export async function insertBrandLinks(trx: Write): Promise<void> {
  const resellers = await trx.selectFrom('resellers').select(['id', 'name']).execute();
  const rows = resellers.map(({ id, name }) => ({
    address: name.toLowerCase().replace(/[^a-z0-9]+/g, '-'),
    kind: 'link' as const,
    reseller_id: id,
  }));
  await trx
    .insertInto('brand_addresses')
    .values(rows)
    .onConflict(conflict => conflict.doNothing())
    .execute();
}
