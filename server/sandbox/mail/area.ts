import type { Area } from '../area.ts';
import { addContactRoutes } from './contact-routes.ts';
import { contacts } from './contacts.ts';
import { addMailOfDay } from './day.ts';
import { addForwardingRoutes } from './forwarding-routes.ts';
import { addGroupRoutes } from './group-routes.ts';
import { groups } from './groups.ts';
import { mail } from './migrations/021-mail.ts';
import { mailboxes } from './migrations/200-mailboxes.ts';
import { delayedDomains } from './migrations/201-delayed-domains.ts';
import { addressBooks } from './migrations/202-address-books.ts';
import { permissionKinds } from './migrations/220-permission-kinds.ts';
import { forwarding } from './migrations/221-forwarding.ts';
import { groupMembers } from './migrations/230-group-members.ts';
import { mailContacts } from './migrations/231-mail-contacts.ts';
import { sharedMailboxes as sharedMailboxesTable } from './migrations/232-shared-mailboxes.ts';
import { addMailRoutes, addRecoveryRoutes } from './routes.ts';
import { insertContacts, insertMail, insertManyMailboxes } from './seed.ts';
import { roomMailboxes, sharedMailboxes } from './shared-mailboxes.ts';
import './tables.ts';

/** Mailboxes, their permissions, distribution groups and the recovery of mail. */
export const mailArea: Area = {
  name: 'mail',
  migrations: {
    '021-mail': mail,
    '200-mailboxes': mailboxes,
    '201-delayed-domains': delayedDomains,
    '202-address-books': addressBooks,
    '220-permission-kinds': permissionKinds,
    '221-forwarding': forwarding,
    '230-group-members': groupMembers,
    '231-mail-contacts': mailContacts,
    '232-shared-mailboxes': sharedMailboxesTable,
  },
  seed: [
    { name: 'many mailboxes', insert: insertManyMailboxes },
    { name: 'mail', insert: (trx, { now }) => insertMail(trx, now) },
    { name: 'mail contacts', insert: (trx, { now }) => insertContacts(trx, now) },
  ],
  routes: [addMailRoutes, addForwardingRoutes, addGroupRoutes, addContactRoutes, addRecoveryRoutes],
  resources: [groups, contacts, sharedMailboxes, roomMailboxes],
  day: addMailOfDay,
};
