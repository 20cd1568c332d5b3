import type { Write } from '../tables.ts';
import { firstDay } from './company.ts';

const british = { address1: '18 Harbour Row', town_city: 'Bristol', post_code: 'BS1 4ZZ' };
const irish = { address1: '7 Quay Street', town_city: 'Galway', post_code: 'H91 1ZZ' };

/** Inserts the address and the VAT number of every reseller; the rest is for it to say. */
export async function insertCompanies(trx: Write): Promise<void> {
  const resellers = await trx.selectFrom('resellers').select(['id', 'currency']).execute();
  for (const { id, currency } of resellers) {
    const isEuro = currency === 'EUR';
    const tax_number = `${isEuro ? 'IE' : 'GB'} ${900_000_000 + id}`;
    await trx
      .insertInto('companies')
      .values({ reseller_id: id, customer_id: null, since: firstDay, ...(isEuro ? irish : british), tax_number })
      .onConflict(conflict => conflict.doNothing())
      .execute();
  }
}
