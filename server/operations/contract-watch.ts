import type { Logger } from 'pino';

/** Told of replies that break the contract of their operation. */
export type ContractWatch = {
  /** A field of a reply is not what the contract says; it counts as absent. */
  noteBreach(operation: string, field: string): void;
};

/** Creates the watch over replies that break their contract: counts every breach, and logs the first of each field. */
export function createContractWatch(log: Logger, count: (operation: string, field: string) => void): ContractWatch {
  const logged = new Set<string>();
  return {
    noteBreach(operation, field) {
      count(operation, field);
      const name = `${operation} ${field}`;
      if (logged.has(name)) return;
      logged.add(name);
      log.warn({ operation, field }, 'a reply breaks its contract');
    },
  };
}
