import type { Caller } from '../auth/caller.ts';
import type { Person } from '../staff/find-person.ts';
import type { Database, Write } from '../tables.ts';
import type { UndoRecord } from './tables.ts';

/** One thing that happens when somebody leaves, or that is worth knowing before. */
export type Finding = { readonly Code: string; readonly Count: number; readonly Detail: string };

export type Leaving = {
  readonly trx: Write;
  readonly caller: Caller;
  readonly leaver: Person;
  readonly now: Date;
  /** True: roles are taken away. Otherwise they are only of no use while the account is disabled. */
  readonly takesRoles: boolean;
};

/** A task of leaving. Areas add theirs to the list in `tasks.ts`; they run in its order, and are undone the other way. */
export type LeavingTask = {
  /** Names what it keeps; never changes. */
  readonly name: string;
  /** Finds what it would do, and what else is to be known; empty where it has nothing to do with this person. */
  find(db: Database, leaver: Person, now: Date): Promise<readonly Finding[]>;
  /** Does it, and gives what undoing needs; undefined where there is nothing to undo. */
  run?(leaving: Leaving): Promise<UndoRecord | undefined>;
  /**
   * Takes it back.
   * @throws {CloudError} 409 where somebody changed it meanwhile
   */
  undo?(leaving: Omit<Leaving, 'takesRoles'>, kept: UndoRecord): Promise<void>;
};
