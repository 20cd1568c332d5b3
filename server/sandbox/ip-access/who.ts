import { sql } from 'kysely';
import type { RuleSet } from '../../../shared/rules/address-rules.ts';
import type { Caller } from '../auth/caller.ts';
import type { Parts } from '../parts.ts';

/** People who are named at most. */
const mostNamed = 100;
/** Accounts with their addresses that are judged at most. */
const mostJudged = 20_000;

type Use = {
  readonly Id: string;
  readonly Name: string;
  readonly UserName: string;
  readonly Address: string;
  readonly Days: number;
  readonly Last: Date;
};

/**
 * Judges from where people came in the last days by rules, and gives those who would be out: each with the address, on how
 * many days it was used and when last; the latest first. `People`: who came at all; `Out`: who would be out from one address
 * or more.
 */
export async function findShutOut(
  { db, judges, places }: Pick<Parts, 'db' | 'judges' | 'places'>,
  { resellerId }: Pick<Caller, 'resellerId'>,
  { set, days, now }: { readonly set: RuleSet; readonly days: number; readonly now: Date },
) {
  const first = new Date(now.getTime() - days * 86_400_000).toISOString().slice(0, 10);
  const { rows } = await sql<Use>`
    select a.id || ' ' || u.address as "Id", a.display_name as "Name", a.username as "UserName", u.address as "Address",
      count(*)::int as "Days", max(u.last_used) as "Last"
    from address_uses u join accounts a on a.id = u.account_id
    where a.reseller_id = ${resellerId} and a.enabled and u.day >= ${first}
      and (a.customer_id is null or (${set.Admins} and a.user_type = 'endUserAdmin'))
    group by a.id, u.address order by max(u.last_used) desc, a.id limit ${mostJudged}`.execute(db);
  const { judge } = judges.compile(set);
  const out = set.On
    ? rows.filter(({ UserName, Address }) => !judges.isExempt(UserName) && !judge(Address).isAllowed)
    : [];
  const count = (uses: readonly Use[]): number => new Set(uses.map(({ UserName }) => UserName)).size;
  return {
    Items: out.slice(0, mostNamed).map(use => ({ ...use, Place: places.nameOf(use.Address) })),
    Out: count(out),
    People: count(rows),
  };
}
