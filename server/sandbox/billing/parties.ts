import type { Caller } from '../auth/caller.ts';
import { addressOn } from '../my-business/company.ts';
import type { Database } from '../tables.ts';

export const seller = {
  Name: 'Fernhill Cloud Ltd',
  Address: '4 Mill Court, Leeds LS1 4ZZ',
  TaxNumber: 'GB 123 4567 89',
} as const;

/** The bank account that a transfer goes to, by the currency of the invoice. */
const accounts = {
  GBP: { Bank: 'Aire Valley Bank', Account: 'Sort code 20-45-18, account 48210716' },
  EUR: { Bank: 'Aire Valley Bank Dublin', Account: 'IBAN IE58 AIRE 9000 1712 3456 78, BIC AIREIE2D' },
} as const;

/**
 * Gives who sends an invoice, who receives it and where it can be paid by bank transfer.
 * @param issued the day, YYYY-MM-DD: the document keeps the address that its receiver had then
 */
export async function partiesOf(
  db: Database,
  { resellerId, resellerName, currency }: Pick<Caller, 'resellerId' | 'resellerName' | 'currency'>,
  issued: string,
) {
  return {
    PayTo: { Name: seller.Name, ...accounts[currency === 'EUR' ? 'EUR' : 'GBP'] },
    From: seller,
    To: { Name: resellerName, ...(await addressOn(db, resellerId, issued)) },
  };
}

export type Parties = Awaited<ReturnType<typeof partiesOf>>;
