import { type RawBuilder, sql } from 'kysely';

/**
 * Tax in per cent by where the reseller buys: the United Kingdom, or Ireland. The archive is exempt in this world, so
 * that invoices have more than one rate, as real ones do.
 */
const standardRate: Readonly<Record<string, string>> = { GBP: '20', EUR: '23' };
const exempt: readonly string[] = ['23-1'];

/**
 * Gives SQL for the tax rate, in per cent, of the product whose key (as "8-1") is in the column `product`; 0 for an
 * exempt one.
 */
export const taxRate = (currency: string): RawBuilder<string> =>
  sql`case when product = any(${exempt}::text[]) then 0 else ${standardRate[currency] ?? '0'}::numeric end`;

/**
 * Gives SQL that adds the printed `amount` to invoice lines, as `printLines` (shared/billing): a tax rate's exact sum
 * is rounded once; lines are cut to the cent, and missing cents go to those that lost most, ties by key.
 * @param lines of one currency, with `key`, which differs by line, `rate` and `exact`
 */
export const withPrintedAmounts = (lines: RawBuilder<unknown>) => sql`
  select l.*, (turn * (cents + case when place <= owed - sum_of_cents then 1 else 0 end) * 0.01)::numeric(14, 2) as amount
  from (
    select l.*, turn * round(sum_of_rate, 2) * 100 as owed, sum(cents) over (partition by rate) as sum_of_cents,
      row_number() over (partition by rate order by turn * exact * 100 - cents desc, key collate "C") as place
    from (
      select l.*, floor(turn * exact * 100) as cents
      from (
        select l.*, case when sum_of_rate < 0 then -1 else 1 end as turn
        from (select l.*, sum(exact) over (partition by rate) as sum_of_rate from (${lines}) l) l
      ) l
    ) l
  ) l`;

/** Gives SQL for the tax of invoice lines by rate, each rounded once: `rate`, `taxable` and `tax`. */
export const taxesOf = (lines: RawBuilder<unknown>) => sql`
  select rate, sum(amount) as taxable, round(sum(amount) * rate / 100, 2) as tax from (${lines}) l group by rate`;
