import type { Caller } from '../auth/caller.ts';

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

/** Gives who sends an invoice, who receives it and where it can be paid by bank transfer. The world of the sandbox has one address for each reseller. */
export function partiesOf({
  resellerId,
  resellerName,
  currency,
}: Pick<Caller, 'resellerId' | 'resellerName' | 'currency'>) {
  const isEuro = currency === 'EUR';
  return {
    PayTo: { Name: seller.Name, ...accounts[isEuro ? 'EUR' : 'GBP'] },
    From: seller,
    To: {
      Name: resellerName,
      Address: isEuro ? '7 Quay Street, Galway H91 1ZZ' : '18 Harbour Row, Bristol BS1 4ZZ',
      TaxNumber: `${isEuro ? 'IE' : 'GB'} ${String(900_000_000 + resellerId)}`,
    },
  };
}
