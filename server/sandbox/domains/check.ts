import type { Caller } from '../auth/caller.ts';
import { recordActivity } from '../customers/activity.ts';
import { refuseConflict } from '../http/refusals.ts';
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
  async function look({ id, ascii }: Domain): Promise<readonly FoundRecord[]> {
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
        await keep(caller, path, await look(domain));
      } finally {
        const left = (ofAccounts.get(caller.accountId) ?? 1) - 1;
        if (left > 0) ofAccounts.set(caller.accountId, left);
        else ofAccounts.delete(caller.accountId);
      }
    },
  };

  async function keep(caller: Caller, path: Path, found: readonly FoundRecord[]): Promise<void> {
    const wanted = wantedRecords(cloud);
    const isRight = wanted.every(
      ({ purpose, isNeeded }) => !isNeeded || found.find(one => one.purpose === purpose)?.state === 'Right',
    );
    await db.transaction().execute(async trx => {
      // It may have been deleted while DNS was asked.
      const row = await findRow(trx, domains, caller, path);
      const activates = isRight && row.state === 'Delayed';
      await trx
        .updateTable('organisation_domains')
        .set({ checked: now(), found: JSON.stringify(found), ...(activates && { state: 'Active' }) })
        .where('id', '=', row.id)
        .execute();
      if (!activates) return;
      const event = { action: 'Domain activated', target: row.name, before: 'Delayed', after: 'Active' } as const;
      await recordActivity(trx, row.customer_id, caller, now(), event);
    });
  }
}

/** Reads a domain with the records that it should have, and what the last check found of each. */
export async function readRecords(db: Database, caller: Caller, path: Path, cloud: string) {
  const row = await findRow(db, domains, caller, path);
  const all = wantedRecords(cloud).map(wanted => {
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
  return {
    DomainId: String(row.id),
    Name: row.name,
    Ascii: row.ascii,
    State: row.state,
    Checked: row.checked,
    Right: all.filter(({ State }) => State === 'Right').length,
    All: all.length,
    Records: all,
  };
}
