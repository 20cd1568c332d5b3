import { type RawBuilder, sql } from 'kysely';

/**
 * Tax in per cent by where the reseller buys: the United Kingdom, or Ireland. The archive is exempt in this world, so
 * that invoices have more than one rate, as real ones do.
 */
const standardRate: Readonly<Record<string, string>> = { GBP: '20', EUR: '23' };
const exempt: readonly string[] = ['23-1'];

/** Gives SQL for the tax in per cent on `product`, the key of one, as "8-1". */
export const taxRate = (currency: string): RawBuilder<string> =>
  sql`case when product = any(${exempt}::text[]) then 0 else ${standardRate[currency] ?? '0'}::numeric end`;

/**
 * Gives SQL for the lines of a document with what is printed of each as `amount`, by the rule of `printLines` in
 * shared/billing: the exact sum of a tax rate is rounded once, half up; a line is cut to the cent, and the cents that are
 * then missing go to the largest parts cut off, ties by key. A negative sum is handled as the one that it takes back.
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

/** Gives SQL for what is taxed at each rate, and the tax, rounded once: `rate`, `taxable` and `tax`. */
export const taxesOf = (lines: RawBuilder<unknown>) => sql`
  select rate, sum(amount) as taxable, round(sum(amount) * rate / 100, 2) as tax from (${lines}) l group by rate`;
