import type { Containment } from './contain.ts';
import type { Day } from './days.ts';
import type { Work } from './every.ts';
import type { MailSettings } from './outbox/mailer.ts';
import type { AddRoutes, Parts } from './parts.ts';
import type { Resource } from './resource/declaration.ts';
import type { Database, Write } from './tables.ts';

export type Filling = { readonly now: Date; readonly passwordHash: string };

/**
 * Something that is put into a database once. It may find some or all of its rows there, put in before parts were
 * recorded, and leaves them as they are; what it builds on may have been renamed or deleted by then.
 */
export type SeedPart = {
  /** Never changes, nor does what has been in a released part: what is new is a part of its own. */
  readonly name: string;
  /** True: it is in every database that was ever filled. */
  readonly isFirst?: true;
  insert(trx: Write, filling: Filling): Promise<void>;
};

/** The parts that work which goes on by itself is made of. */
export type Running = Parts & {
  readonly mail: MailSettings | undefined;
  /** Between two phases of a job, in milliseconds. */
  readonly phaseMilliseconds: number;
  /** Keeps what throws for one from holding up the others; `whose` names its id in the log. */
  readonly contain: (whose: string) => Containment;
};

/** All that an area has part in. Its `area.ts` also imports its `tables.ts`. */
export type Area = {
  /** Stands in the database where a day could not be added to a reseller. */
  readonly name: string;
  /** SQL by the name of the migration, `NNN-what`; all areas' run in the order of their names. A released one is never changed. */
  readonly migrations?: Readonly<Record<string, string>>;
  readonly seed?: readonly SeedPart[];
  /** Brings what stands in the code, such as a catalogue, up to date in the database, at each start. */
  readonly refresh?: (trx: Write) => Promise<void>;
  /** For callers with an access token; each route says what it needs. */
  readonly routes?: readonly AddRoutes[];
  readonly resources?: readonly Resource<never>[];
  /** For everybody. */
  readonly openRoutes?: readonly AddRoutes[];
  /** How a session with the cloud begins and ends; their bodies are forms. */
  readonly tokenRoutes?: readonly AddRoutes[];
  /** Done once at each start, as deleting what no request can use any more. */
  readonly start?: (db: Database, options: Pick<Parts, 'portalUrl'> & { readonly now: Date }) => Promise<void>;
  /** Adds a day that is over. */
  readonly day?: (trx: Write, day: Day) => Promise<void>;
  /** Adds a day that is over to one simulated reseller. */
  readonly dayOfReseller?: (trx: Write, reseller: number, day: Day) => Promise<void>;
  /** Runs whenever all days that are over are in. */
  readonly afterDays?: (running: Running) => Work;
  /** Runs each tick. */
  readonly tick?: (running: Running) => Work | undefined;
};
