import { createHash } from 'node:crypto';
import type { Write } from '../tables.ts';

type Known = {
  readonly provider: '/oidc' | '/office';
  readonly username: string;
  readonly display_name: string;
  readonly organisation_id?: string;
  /** True when an account is not opened by this identity yet. */
  readonly unlinked?: boolean;
};

/** People whom the identity providers know. */
export const people: readonly Known[] = [
  { provider: '/oidc', username: 'sso@northwind.test', display_name: 'Saskia Olsen' },
  { provider: '/oidc', username: 'sso-none@northwind.test', display_name: 'Nadia Sole', unlinked: true },
  // The provider takes this one for a member of Southridge.
  { provider: '/oidc', username: 'sso-other@northwind.test', display_name: 'Otis Abbot', organisation_id: '1002' },
  { provider: '/oidc', username: 'sso-required@northwind.test', display_name: 'Rosa Quill' },
  { provider: '/office', username: 'sso-prohibited@northwind.test', display_name: 'Piers Holt' },
  { provider: '/office', username: 'link@northwind.test', display_name: 'Lina Keane', unlinked: true },
];

/** The same on every machine, as all the data is. */
const subjectOf = ({ provider, username }: Known): string => {
  const hex = createHash('sha256').update(`${provider} ${username}`).digest('hex');
  return hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
};

/** Inserts a person at an identity provider, and links the account of the same name unless `unlinked`. */
export async function insertPerson(trx: Write, { unlinked, ...person }: Known, password_hash: string): Promise<void> {
  const subject = subjectOf(person);
  await trx
    .insertInto('people')
    .values({ organisation_id: null, ...person, subject, password_hash })
    .onConflict(known => known.doNothing())
    .execute();
  if (unlinked) return;
  await trx
    .insertInto('identities')
    .columns(['issuer', 'subject', 'account_id'])
    .expression(({ selectFrom, val }) =>
      selectFrom('accounts')
        .select([val(person.provider).as('issuer'), val(subject).as('subject'), 'id'])
        .where('username', '=', person.username),
    )
    .onConflict(known => known.doNothing())
    .execute();
}
