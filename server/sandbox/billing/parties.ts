import type { Caller } from '../auth/caller.ts';

export const seller = {
  Name: 'Fernhill Cloud Ltd',
  Address: '4 Mill Court, Leeds LS1 4ZZ',
  TaxNumber: 'GB 123 4567 89',
} as const;

/** Gives who sends an invoice and who receives it. The world of the sandbox has one address for each reseller. */
export function partiesOf({
  resellerId,
  resellerName,
  currency,
}: Pick<Caller, 'resellerId' | 'resellerName' | 'currency'>) {
  const isEuro = currency === 'EUR';
  return {
    From: seller,
    To: {
      Name: resellerName,
      Address: isEuro ? '7 Quay Street, Galway H91 1ZZ' : '18 Harbour Row, Bristol BS1 4ZZ',
      TaxNumber: `${isEuro ? 'IE' : 'GB'} ${String(900_000_000 + resellerId)}`,
    },
  };
}
