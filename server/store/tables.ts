import type { ColumnType, Generated } from 'kysely';

/** A moment: read as Date, written as Date. */
type Moment = ColumnType<Date, Date, Date>;

/** One signed-in browser. `key` is the SHA-256 of the cookie; the cookie itself is nowhere. */
export type SessionTable = {
  key: string;
  account: string;
  created_at: Moment;
  /** The last request that a person made. */
  seen_at: Moment;
  expires_at: Moment;
  /** The cloud's tokens, sealed under a key that only the cookie gives. */
  tokens: string;
  /** Rises with every new pair of tokens. */
  token_version: Generated<number>;
  /** While in the future, one process is exchanging the tokens. */
  exchanging_until: Moment | null;
  /** The principal as JSON. */
  principal: string;
  principal_at: Moment;
  /** Names the session to its own user; neither key nor cookie can be had from it. */
  handle: Generated<string>;
  /** What it was opened on, in short words, and the network address. */
  device: string | null;
  address: string | null;
  /** The identity provider that opened it, by the name of its connection. */
  connection: 'sso' | 'office' | null;
  /** Key of the sign-on that opened it. */
  sign_on: string | null;
  /** How it was opened: one of `signInWays` (session/sign-in-way.ts); null where it was opened before this was kept. */
  way: string | null;
  /** How it acts, as JSON; null for an account in its own name and view. */
  acting: string | null;
};

/** Sign-in attempts by account, by address, and by both. */
export type AttemptTable = {
  key: string;
  failures: number;
  window_ends: Moment;
  /** Before this no attempt is let through. */
  next_at: Moment;
  /** The last attempt that was let through. */
  admitted: string | null;
};

export type AuditTable = {
  id: Generated<string>;
  at: ColumnType<Date, never, never>;
  action: string;
  outcome: string;
  /** The account that acted; null for someone who is not signed in. */
  account: string | null;
  /** Who was really acting, by an admin jump. */
  actor: string | null;
  address: string | null;
  /** What it was done on, in short words. */
  device: string | null;
  /** JSON of what it was done to. */
  detail: string;
};

/** An unfinished sign-in, at one of its stages. `key` is the SHA-256 of its cookie. */
export type SignInStageTable = {
  key: string;
  kind: string;
  /** What the next stage needs, as JSON, sealed under a key that only the cookie gives. */
  content: string;
  expires_at: Moment;
};

/** What somebody typed and has not sent yet. */
export type DraftTable = {
  /** The account, and how it acts. */
  owner: string;
  kind: string;
  subject: string;
  /** Rises each time it is kept. */
  version: Generated<number>;
  /** JSON. */
  content: string;
  saved_at: Moment;
};

/** A file of a long list, made in the background; its bytes are its parts. */
export type ExportTable = {
  id: string;
  /** The account, and how it acts. */
  owner: string;
  /** The session that it is made for, which is told how far it has come. */
  session: string;
  title: string;
  format: 'csv' | 'xlsx';
  /** The table: address of its screen and name of the node; and the paths of its columns, as JSON. */
  path: string;
  table_id: string;
  columns: string;
  state: 'running' | 'ready' | 'failed';
  reason: 'stopped' | 'rows' | 'bytes' | 'refused' | 'cloud' | null;
  rows: Generated<number>;
  /** Rows that the list had at the start; null where the cloud did not count them all. */
  total: number | null;
  bytes: Generated<number>;
  /** What the owner saw of customers when it was begun (`Principal.sight`); null: nothing was ever taken away. */
  sight: string | null;
  started_at: Moment;
  /** The last sign of the process that makes it. */
  seen_at: Moment;
  expires_at: Moment;
  /** Whether the owner knows that it is ready or has failed. */
  is_told: Generated<boolean>;
};

export type ExportPartTable = {
  export_id: string;
  part: number;
  bytes: Buffer;
};

/** A name that an account signed in with before, in small letters, and the one that it has now. */
export type FormerNameTable = { name: string; account: string };

/** A file that one session may fetch once, in a second. `key` is the SHA-256 of its guid; the guid itself is nowhere. */
export type DownloadLinkTable = {
  key: string;
  session: string;
  /** The account, and how it acts. */
  owner: string;
  operation: string;
  /** JSON. */
  parameters: string;
  expires_at: Moment;
};

/** A browser that signed in by an identity provider. `key` is the SHA-256 of its cookie. */
export type SignOnTable = {
  key: string;
  account: string;
  connection: 'sso' | 'office';
  expires_at: Moment;
};

export type Tables = {
  sign_ons: SignOnTable;
  sessions: SessionTable;
  attempts: AttemptTable;
  audit: AuditTable;
  steps: SignInStageTable;
  drafts: DraftTable;
  exports: ExportTable;
  export_parts: ExportPartTable;
  former_names: FormerNameTable;
  download_links: DownloadLinkTable;
};
