import { type RawBuilder, sql } from 'kysely';

/** SQL over an account `a`: whether it sees the customer of an organisation; true where there is none (null). */
export const seesOrganisation = (organisation: RawBuilder<unknown>): RawBuilder<boolean> => sql`(
  not a.limited or ${organisation} is null or exists (
    select from account_customers k join customers c on c.id = k.customer_id
    where k.account_id = a.id and c.organisation_id = ${organisation}))`;
