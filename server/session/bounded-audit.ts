import type { Logger } from 'pino';
import { networkOf } from '../../shared/rules/ip-address.ts';
import type { Audit, AuditRecord } from '../store/audit.ts';

/** Refusals of one network, and of all together, that have a record of their own in a minute. */
const ofNetwork = 60;
const ofAll = 1200;
/**
 * Records of one account and action in a minute: more than a person makes with an action on many rows. What changes
 * nothing has fewer.
 */
const ofAccount = 600;
const ofAccountBy: Readonly<Record<string, number>> = { redirect: 60 };
/** Networks, accounts and actions whose further refusals are counted apart; of all others there is one count. */
const mostCounts = 200;
const window = 60_000;

type Counted = Pick<AuditRecord, 'action' | 'outcome' | 'account' | 'address'> & { count: number };

/** The audit, with a bound on what refusals write, and on what one account writes. */
export type BoundedAudit = {
  readonly audit: Audit;
  /** Writes what was counted so far. */
  close(): Promise<void>;
};

/**
 * Wraps the audit so that neither refusals nor one account can flood it: beyond a bound they are only counted, and one
 * record a minute for each network or account and action holds the number.
 */
export function boundAudit(audit: Audit, log: Logger): BoundedAudit {
  const recorded = new Map<string, number>();
  let refusals = 0;
  const counts = new Map<string, Counted>();
  let timer: NodeJS.Timeout | undefined;

  const sumUp = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const counted = [...counts.values()];
    recorded.clear();
    counts.clear();
    refusals = 0;
    for (const { count, ...record } of counted) await audit({ ...record, detail: { more: count } });
  };

  const begin = (): void => {
    timer ??= setTimeout(
      () => void sumUp().catch((error: Error) => log.warn({ reason: error.message }, 'records were not summed up')),
      window,
    ).unref();
  };

  /** Counts one more record by `key`, where there is room for it. */
  const hasRoom = (key: string, most: number): boolean => {
    const count = (recorded.get(key) ?? 0) + 1;
    if (count > most) return false;
    recorded.set(key, count);
    return true;
  };

  const countMore = (key: string, record: Omit<Counted, 'count'>): void => {
    const isFull = counts.size >= mostCounts;
    const others = `others ${record.outcome === 'refused'}`;
    const found = counts.get(key) ?? (isFull ? counts.get(others) : undefined);
    if (found) found.count += 1;
    else if (isFull)
      counts.set(others, { action: record.action, outcome: record.outcome, address: 'others', count: 1 });
    else counts.set(key, { ...record, count: 1 });
  };

  return {
    async audit(record) {
      const { action, outcome, account } = record;
      if (outcome === 'refused' && record.address !== undefined) {
        begin();
        const address = networkOf(record.address);
        if (refusals >= ofAll || !hasRoom(`network ${address}`, ofNetwork))
          return countMore(`${address} ${action}`, { action, outcome, address });
        refusals += 1;
      } else if (account !== undefined) {
        begin();
        if (!hasRoom(`account ${action} ${account}`, ofAccountBy[action] ?? ofAccount))
          return countMore(`account ${outcome} ${action} ${account}`, { action, outcome, account });
      }
      return audit(record);
    },
    close: sumUp,
  };
}
