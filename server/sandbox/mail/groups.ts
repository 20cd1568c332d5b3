import { type Selectable, sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { view } from '../auth/needs.ts';
import { customerIdOf } from '../customers/scope.ts';
import { refuseConflict, refuseField } from '../http/refusals.ts';
import { boolean, date, filled, id, integer, list, orNull, string, text } from '../http/schema.ts';
import { type Resource, trimmed } from '../resource/declaration.ts';
import { ofCustomer } from '../resource/owners.ts';
import type { Database, Tables, Write } from '../tables.ts';
import { validateAddress } from './aliases.ts';
import { tellPages } from './mailbox.ts';
import { countMembers } from './recipients.ts';
import { groupSenders } from './tables.ts';

export type DistributionGroup = Selectable<Tables['distribution_groups']>;

/** Distribution groups that an organisation may have. */
export const mostGroups = 1000;

const managesGroups = view('customerUsers');
const own = sql.ref('distribution_groups.id');
const address = () => sql`(select a.address from mail_addresses a where a.group_id = ${own} and a.is_primary)`;
/** The names of the groups that have this one in them. */
const parents = () => sql`(select coalesce(json_agg(p.name order by lower(p.name)), '[]')
  from group_members gm join distribution_groups p on p.id = gm.group_id where gm.member_group_id = ${own})`;

/** The distribution groups of a customer, with how many members each reaches. */
export const groups: Resource<DistributionGroup> = {
  noun: 'distribution group',
  tag: 'mail',
  table: 'distribution_groups',
  path: '/api/customers/:customerId/distribution-groups',
  key: 'groupId',
  owner: ofCustomer,
  title: 'Name',
  fields: [
    { name: 'GroupId', column: 'id', shape: id },
    { name: 'Name', rule: filled(64), stored: trimmed, sorts: true, searched: true },
    { name: 'Address', column: address, shape: orNull(string), rule: text(320), searched: true },
    { name: 'Members', column: () => countMembers(own), shape: integer, sorts: true },
    { name: 'Hidden', shape: boolean, rule: boolean, label: 'Hidden from the address book' },
    { name: 'Senders', shape: { ...string, enum: groupSenders } },
    { name: 'MemberOf', column: parents, shape: list(string) },
    { name: 'Created', shape: date, sorts: true, made: now => now },
  ],
  list: { needs: view('customers'), sort: 'Name', largestPage: 100 },
  read: { needs: managesGroups },
  create: {
    needs: managesGroups,
    takes: ['Name', 'Address'],
    tells: ['Name'],
    action: 'Distribution group created',
    async before({ trx, body, owned }) {
      const customerId = String(owned.customer_id);
      if ((await countGroups(trx, customerId)) >= mostGroups)
        throw refuseConflict('GroupsFull', { Most: mostGroups.toLocaleString('en-GB') });
      await refuseTakenName(trx, customerId, String(body.Name));
      const { refusal } = await validateAddress(trx, customerId, String(body.Address));
      if (refusal) throw refuseField('Address', refusal.code, (refusal.data ?? {}) as never);
      return undefined;
    },
    async after({ trx, body, row, now }) {
      const { address } = await validateAddress(trx, row.customer_id, String(body.Address));
      const added = await trx
        .insertInto('mail_addresses')
        .values({ customer_id: row.customer_id, group_id: row.id, address, is_primary: true, created: now })
        .onConflict(known => known.doNothing())
        .returning('id')
        .executeTakeFirst();
      // Somebody of another organisation was quicker.
      if (!added) throw refuseField('Address', 'AliasElsewhere');
    },
  },
  change: {
    needs: managesGroups,
    takes: ['Name', 'Hidden'],
    action: 'Distribution group changed',
    async before({ trx, body, row }) {
      await refuseTakenName(trx, row.customer_id, String(body.Name), row.id);
      return undefined;
    },
    after: ({ trx, caller, row }) => tellPages(trx, caller, row.customer_id),
  },
  remove: {
    needs: managesGroups,
    tells: ['Name'],
    action: 'Distribution group deleted',
    after: ({ trx, caller, row }) => tellPages(trx, caller, row.customer_id),
  },
};

/** Refuses a name that another group of the customer has, whatever its case. */
async function refuseTakenName(trx: Write, customerId: string, name: string, self = 0): Promise<void> {
  const taken = await trx
    .selectFrom('distribution_groups')
    .select('id')
    .where('customer_id', '=', customerId)
    .where(sql`lower(name)`, '=', name.trim().toLowerCase())
    .where('id', '!=', self)
    .executeTakeFirst();
  if (taken) throw refuseField('Name', 'GroupNameTaken');
}

async function countGroups(db: Database, customerId: string): Promise<number> {
  const { all } = await db
    .selectFrom('distribution_groups')
    .where('customer_id', '=', customerId)
    .select(({ fn }) => fn.countAll<number>().as('all'))
    .executeTakeFirstOrThrow();
  return Number(all);
}

/**
 * Document 2, section 3, distribution-group access info: whether the caller may add a group (to a customer that is not
 * suspended, has room for one and a domain for its address), and whether DNS is to be shown: a domain of the customer
 * receives no mail yet, so that mail to groups of this domain does not arrive.
 */
export async function readGroupAccess(db: Database, caller: Caller, key: string) {
  const id = await customerIdOf(db, caller, key);
  const { rows } = await sql<{ suspended: boolean; domains: number; delayed: number }>`
    select (select c.suspended from customers c where c.id = ${id}), count(*)::int as domains,
      (count(*) filter (where d.state = 'Delayed'))::int as delayed
    from organisation_domains d where d.customer_id = ${id}`.execute(db);
  const { suspended, domains, delayed } = rows[0]!;
  const mayWrite = managesGroups.isMet(caller, {}) && !suspended && domains > 0;
  return { CanAdd: mayWrite && (await countGroups(db, id)) < mostGroups, DisplayDns: delayed > 0 };
}
