import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { view } from '../auth/needs.ts';
import { recordActivity } from '../customers/activity.ts';
import { customerIdOf } from '../customers/scope.ts';
import { refuseConflict } from '../http/refusals.ts';
import { sendHint } from '../notifications/hints.ts';
import type { Path } from '../resource/owners.ts';
import { findRow } from '../resource/rows.ts';
import type { Database } from '../tables.ts';
import { type LookupBounds, withLookup } from './dns/lookup.ts';
import type { DomainChecks } from './domain-checks.ts';
import { type Domain, domains } from './resource.ts';
import type { FoundRecord } from './tables.ts';
import { checkRecord, nameOf, valueToSet, wantedRecords } from './wanted-records.ts';

/** Checks that run at once: of one account, and in this process. A check costs some questions to DNS and no transaction. */
const mostOfAccount = 2;
const mostAtOnce = 20;
/** Milliseconds for which the answer to a check stands for the next one. */
const freshMilliseconds = 2000;
/** Minutes between two looks of the cloud's own at a domain: in its first day, and later. */
const dueAfter = { first: 10, later: 360 } as const;
const mostDue = 2;

type Options = {
  readonly db: Database;
  readonly now: () => Date;
  readonly cloud: string;
  /** Gives the address of the DNS resolver. */
  readonly resolver: () => Promise<string>;
  readonly bounds: LookupBounds;
};

/** Makes the checks of domains. They are bounded: by account, at once, in questions and in time. */
export function createDomainChecks({ db, now, cloud, resolver, bounds }: Options): DomainChecks {
  const running = new Map<number, Promise<readonly FoundRecord[]>>();
  const ofAccounts = new Map<number, number>();

  /** Checks of one domain that come while one runs share its answer. */
  async function look({ id, ascii }: Pick<Domain, 'id' | 'ascii'>): Promise<readonly FoundRecord[]> {
    const shared = running.get(id);
    if (shared) return shared;
    if (running.size >= mostAtOnce) throw refuseConflict('DomainChecksBusy');
    const looking = resolver()
      .then(address =>
        withLookup(address, bounds, lookup =>
          Promise.all(wantedRecords(cloud).map(wanted => checkRecord(lookup, wanted, ascii))),
        ),
      )
      .finally(() => running.delete(id));
    running.set(id, looking);
    return looking;
  }

  return {
    async check(caller, path) {
      const domain = await findRow(db, domains, caller, path);
      if (domain.checked && now().getTime() - domain.checked.getTime() < freshMilliseconds) return;
      const held = ofAccounts.get(caller.accountId) ?? 0;
      if (held >= mostOfAccount) throw refuseConflict('DomainChecksBusy');
      ofAccounts.set(caller.accountId, held + 1);
      try {
        const found = await look(domain);
        // It may have been deleted while DNS was asked.
        await findRow(db, domains, caller, path);
        await keep(domain.id, found, view('customerUsers').isMet(caller, {}) ? caller : 'viewer');
      } finally {
        const left = (ofAccounts.get(caller.accountId) ?? 1) - 1;
        if (left > 0) ofAccounts.set(caller.accountId, left);
        else ofAccounts.delete(caller.accountId);
      }
    },
    async checkDue() {
      const minutes = sql`case when created > ${now()}::timestamptz - interval '1 day' then ${dueAfter.first}::int
        else ${dueAfter.later}::int end`;
      const due = await db
        .selectFrom('organisation_domains')
        .where('state', '=', 'Delayed')
        .where(sql<boolean>`coalesce(checked, created) <= ${now()}::timestamptz - ${minutes} * interval '1 minute'`)
        .select(['id', 'ascii'])
        .orderBy(sql`checked nulls first`)
        .orderBy('id')
        .limit(mostDue)
        .execute();
      for (const domain of due) await keep(domain.id, await look(domain), 'cloud');
    },
  };

  async function keep(id: number, found: readonly FoundRecord[], by: Caller | 'cloud' | 'viewer'): Promise<void> {
    await db.transaction().execute(async trx => {
      const row = await trx
        .selectFrom('organisation_domains as d')
        .innerJoin('customers as c', 'c.id', 'd.customer_id')
        .where('d.id', '=', id)
        .select(['d.name', 'd.state', 'd.customer_id', 'c.reseller_id', 'c.organisation_id'])
        .forUpdate('d')
        .executeTakeFirst();
      if (!row) return;
      const activates = by !== 'viewer' && row.state === 'Delayed' && isReady(found, cloud);
      await trx
        .updateTable('organisation_domains')
        .set({ checked: now(), found: JSON.stringify(found), ...(activates && { state: 'Active' }) })
        .where('id', '=', id)
        .execute();
      if (!activates) return;
      const event = { action: 'Domain activated', target: row.name, before: 'Delayed', after: 'Active' } as const;
      await recordActivity(trx, row.customer_id, by === 'cloud' ? undefined : by, now(), event);
      const audience = { reseller: row.reseller_id, customer: row.customer_id };
      await sendHint(trx, audience, { kind: 'service-changed', organisationId: String(row.organisation_id) });
    });
  }
}

/** True where every record that mail needs is as it should be. */
const isReady = (found: readonly FoundRecord[], cloud: string): boolean =>
  wantedRecords(cloud).every(
    ({ purpose, isNeeded }) => !isNeeded || found.find(one => one.purpose === purpose)?.state === 'Right',
  );

/** Reads a domain with the records that it should have, and what the last check found of each. */
export async function readRecords(db: Database, caller: Caller, path: Path, cloud: string) {
  const row = await findRow(db, domains, caller, path);
  const all = recordsOf(row, cloud);
  return {
    DomainId: String(row.id),
    Name: row.name,
    Ascii: row.ascii,
    State: row.state,
    Checked: row.checked,
    IsReady: isReady(row.found ?? [], cloud),
    Right: all.filter(({ State }) => State === 'Right').length,
    All: all.length,
    Records: all,
  };
}

const recordsOf = (row: Pick<Domain, 'ascii' | 'found'>, cloud: string) =>
  wantedRecords(cloud).map(wanted => {
    const found = row.found?.find(one => one.purpose === wanted.purpose);
    const { state = 'NotChecked', found: values = [] } = found ?? {};
    return {
      Purpose: wanted.purpose,
      Type: wanted.type,
      Host: wanted.host,
      FullName: nameOf(wanted, row.ascii),
      Value: found ? valueToSet(wanted, found) : wanted.value,
      IsNeeded: wanted.isNeeded,
      State: state,
      Found: values.join('\n'),
    };
  });

export type RecordQuery = {
  readonly page: number;
  readonly pageSize: number;
  readonly search: string;
  readonly state?: 'Right' | 'Wrong' | 'NotChecked';
};

/**
 * Lists the records that the domains of a customer should have, beside what was seen of each; and the domains whose mail
 * does not arrive yet. An organisation has at most some hundred domains, of six records each.
 * @throws {CloudError} 404 when the caller does not see the customer
 */
export async function listRecords(db: Database, caller: Caller, key: string, cloud: string, query: RecordQuery) {
  const customer_id = await customerIdOf(db, caller, key);
  const rows = await db
    .selectFrom('organisation_domains')
    .where('customer_id', '=', customer_id)
    .selectAll()
    .orderBy('name')
    .execute();
  const words = query.search.trim().toLowerCase();
  const all = rows.flatMap(row =>
    recordsOf(row, cloud).map(({ Host: _, ...record }) => ({
      ...{ RecordId: `${row.id}-${record.Purpose}`, DomainId: String(row.id), Domain: row.name },
      ...record,
    })),
  );
  const kindOf = (state: string) => (state === 'Right' || state === 'NotChecked' ? state : 'Wrong');
  const found = all.filter(
    ({ Domain, FullName, State }) =>
      (query.state === undefined || kindOf(State) === query.state) && `${Domain} ${FullName}`.includes(words),
  );
  const first = (query.page - 1) * query.pageSize;
  return {
    Items: found.slice(first, first + query.pageSize),
    Total: found.length,
    Delayed: rows
      .flatMap(({ name, state }) => (state === 'Delayed' ? [name] : []))
      .slice(0, 10)
      .join(', '),
  };
}
