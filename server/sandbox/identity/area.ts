import type { Area, SeedPart } from '../area.ts';
import { addLinkRoute } from './link-route.ts';
import { signOn } from './migrations/008-sign-on.ts';
import { forgetRecords } from './records.ts';
import { insertPerson, people } from './seed.ts';
import './tables.ts';

/** The providers of single sign-on and of work accounts. */
export const identityArea: Area = {
  name: 'identity',
  migrations: { '008-sign-on': signOn },
  seed: people.map(
    (person): SeedPart => ({
      name: `identity ${person.username}`,
      insert: (trx, { passwordHash }) => insertPerson(trx, person, passwordHash),
    }),
  ),
  tokenRoutes: [addLinkRoute],
  start: (db, { now }) => forgetRecords(db, now),
};
