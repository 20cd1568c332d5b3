import type { Offer } from '../marketplace/offer.ts';
import type { FieldValues } from '../orders/tables.ts';

type SeededCustomer = {
  readonly domain: string;
  readonly contact_email?: string | undefined;
  readonly phone?: string | undefined;
};

/** Makes what the order of a seeded service answered to the questions of its product. */
export function makeAnswers(offer: Offer, { domain, contact_email, phone }: SeededCustomer, id: number): FieldValues {
  const answers: Readonly<Record<string, string | undefined>> = {
    Domain: domain,
    AdminEmail: contact_email,
    AreaCode: phone && /^0\d{2,4}?(?=496|960)/.exec(phone)?.[0],
    HostName: `srv-${id}`,
    Region: 'UK South',
    RetentionYears: '7',
  };
  const asked = offer.Fields.map(({ PropertyName }) => PropertyName).filter(name => answers[name] !== undefined);
  return Object.fromEntries(asked.map(name => [name, answers[name]!]));
}
