import type { Logger } from 'pino';
import type { Audit, AuditRecord } from '../store/audit.ts';
import { networkOf } from './network.ts';

/** Refusals of one network, and of all together, that have a record of their own in a minute. */
const ofNetwork = 60;
const ofAll = 1200;
/** Networks and actions whose further refusals are counted apart; of all others there is one count. */
const mostCounts = 200;
const window = 60_000;

type Counted = Pick<AuditRecord, 'action' | 'address'> & { count: number };

/** The audit, with a bound on what refusals write. */
export type BoundedAudit = {
  readonly audit: Audit;
  /** Writes what was counted so far. */
  close(): Promise<void>;
};

/**
 * Wraps the audit so that refusals cannot flood it: beyond a bound they are only counted, and one record a minute for
 * each network and action holds the number. Other outcomes are always recorded.
 */
export function boundRefusals(audit: Audit, log: Logger): BoundedAudit {
  const recorded = new Map<string, number>();
  let all = 0;
  const counts = new Map<string, Counted>();
  let timer: NodeJS.Timeout | undefined;

  const sumUp = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const counted = [...counts.values()];
    recorded.clear();
    counts.clear();
    all = 0;
    for (const { action, address, count } of counted)
      await audit({ action, outcome: 'refused', address, detail: { more: count } });
  };

  const begin = (): void => {
    timer ??= setTimeout(
      () => void sumUp().catch((error: Error) => log.warn({ reason: error.message }, 'refusals were not summed up')),
      window,
    ).unref();
  };

  const hasRoom = (network: string): boolean => {
    const count = (recorded.get(network) ?? 0) + 1;
    if (count > ofNetwork || all >= ofAll) return false;
    recorded.set(network, count);
    all += 1;
    return true;
  };

  const countMore = (action: string, network: string): void => {
    const key = `${network} ${action}`;
    const found = counts.get(key) ?? (counts.size >= mostCounts ? counts.get('') : undefined);
    if (found) found.count += 1;
    else if (counts.size >= mostCounts) counts.set('', { action, address: 'others', count: 1 });
    else counts.set(key, { action, address: network, count: 1 });
  };

  return {
    async audit(record) {
      if (record.outcome === 'refused' && record.address !== undefined) {
        begin();
        const network = networkOf(record.address);
        if (!hasRoom(network)) return countMore(record.action, network);
      }
      return audit(record);
    },
    close: sumUp,
  };
}
