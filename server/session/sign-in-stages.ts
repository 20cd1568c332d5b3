import type { UserType } from '../../shared/contract/boot.ts';
import type { SignedIn } from '../cloud/accounts.ts';
import type { Owner } from '../cloud/passwords.ts';
import type { ErrorCode } from '../errors.ts';
import type { Store } from '../store/store.ts';
import { createIdentifier, isIdentifier, keyOf, seal, unseal } from './identifier.ts';
import type { ConnectionName, RoundTrip } from './identity-provider.ts';
import type { Opening } from './session-cache.ts';

/** A user who is signed in and gets a session after one last stage. */
type PendingSession = {
  readonly signedIn: Omit<SignedIn, 'recoveryCodes'>;
  readonly opening: Pick<Opening, 'acting' | 'connection'>;
  readonly returnTo: string;
};

/** State of an unfinished sign-in between two stages. It grants no access. */
export type StageContent = {
  /** The username is known; its password is next (document 1, section 2.1). */
  readonly password: { readonly username: string };
  /** The password was right; a code of an authenticator app is needed. */
  readonly 'second-factor': {
    readonly username: string;
    readonly password: string;
    /** Of the app that is being set up; '' where it is known to the cloud. */
    readonly key: string;
    readonly returnTo: string;
    /** Of a work account that is to be linked. */
    readonly adtoken?: string | undefined;
  };
  /** An authenticator app was offered to somebody who is signed in; its first code is needed. */
  readonly 'set-up': {
    /** Key of the session that it is for. */
    readonly session: string;
    readonly password: string;
    readonly key: string;
  };
  /** The browser is at an identity provider, and is expected back. */
  readonly 'sign-on': RoundTrip & { readonly connection: ConnectionName; readonly returnTo: string };
  /** It came back without having signed in. */
  readonly 'sign-on-failed': {
    readonly connection: ConnectionName;
    readonly returnTo: string;
    /** What the provider or the cloud said about it. */
    readonly message?: string;
    /** What the portal has to say instead. */
    readonly code?: ErrorCode;
  };
  /** It came back with a work account that opens no account yet. */
  readonly 'work-account': { readonly adtoken: string; readonly returnTo: string };
  /** The sign-in was right, and a new password must be chosen before the next one. */
  readonly 'new-password': { readonly owner: Owner; readonly returnTo: string };
  /** Signed in, and asked which of the two views to open (document 1, section 2.5). */
  readonly 'switch-user': PendingSession & { readonly type: UserType };
  /** A form of a provider that the cloud has authorised, until its page is opened. */
  readonly 'hosted-page': {
    /** Key of the session that it is for. */
    readonly session: string;
    readonly src: string;
    readonly nonce: string;
    /** Operation that takes what the form answers. */
    readonly answer: string;
  };
  /** The same once its page was opened, until the form has answered. */
  readonly 'hosted-page-open': { readonly session: string; readonly answer: string };
  /** Somebody is sent to another site with a token, until the browser goes there. */
  readonly 'hand-over': {
    /** Key of the session that it is for. */
    readonly session: string;
    readonly to: string;
    /** Sent as a form, so that no address holds it; absent where the address is the answer. */
    readonly token?: string | undefined;
    /** Of the live chat, whose page frames this; absent for every other site. */
    readonly licence?: string | undefined;
  };
  /** Signed in, and shown the recovery codes of the app that was set up on the way. */
  readonly 'recovery-codes': PendingSession;
};
export type StageKind = keyof StageContent;

/** Lifetime of a stage, in milliseconds. */
export const stageLimit = 10 * 60_000;

/** Unfinished sign-ins, and flows like them, known to every process; each is named by a cookie of its own. */
export type SignInStages = {
  /** Gives the identifier for the cookie. */
  open<K extends StageKind>(kind: K, content: StageContent[K]): Promise<string>;
  /** Undefined when there is no such stage any more, or it is one of another kind. */
  find<K extends StageKind>(identifier: string | undefined, kind: K): Promise<StageContent[K] | undefined>;
  /** As `find`, and the stage is over: of any number of callers one gets it. */
  take<K extends StageKind>(identifier: string | undefined, kind: K): Promise<StageContent[K] | undefined>;
  close(identifier: string): Promise<void>;
  /** Forgets what has timed out. */
  sweep(): Promise<void>;
};

/** Creates the store of unfinished sign-ins in the database; contents are sealed under the cookie's identifier. */
export function createSignInStages(store: Store, now: () => number): SignInStages {
  return {
    async open(kind, content) {
      const identifier = createIdentifier();
      const row = {
        key: keyOf(identifier),
        kind,
        content: seal(identifier, JSON.stringify(content)),
        expires_at: new Date(now() + stageLimit),
      };
      await store.run(db => db.insertInto('steps').values(row).execute());
      return identifier;
    },
    async find(identifier, kind) {
      if (identifier === undefined || !isIdentifier(identifier)) return undefined;
      const row = await store.run(db =>
        db
          .selectFrom('steps')
          .select('content')
          .where('key', '=', keyOf(identifier))
          .where('kind', '=', kind)
          .where('expires_at', '>', new Date(now()))
          .executeTakeFirst(),
      );
      return row && JSON.parse(unseal(identifier, row.content));
    },
    async take(identifier, kind) {
      if (identifier === undefined || !isIdentifier(identifier)) return undefined;
      const row = await store.run(db =>
        db
          .deleteFrom('steps')
          .where('key', '=', keyOf(identifier))
          .where('kind', '=', kind)
          .where('expires_at', '>', new Date(now()))
          .returning('content')
          .executeTakeFirst(),
      );
      return row && JSON.parse(unseal(identifier, row.content));
    },
    async close(identifier) {
      if (!isIdentifier(identifier)) return;
      await store.run(db => db.deleteFrom('steps').where('key', '=', keyOf(identifier)).execute());
    },
    async sweep() {
      await store.run(db => db.deleteFrom('steps').where('expires_at', '<', new Date(now())).execute());
    },
  };
}
