import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { boolean, integer, list, object, orNull, pageQuery, search, string } from '../http/schema.ts';
import { fields } from '../resource/fields.ts';
import { listPage } from '../resource/list-page.ts';
import { containing, searchKeyOf } from '../search.ts';
import type { Database } from '../tables.ts';
import { findMailbox } from './mailbox.ts';
import { groupsAround } from './recipients.ts';

/** Mailboxes that one call may list. */
const largestPage = 1000;
export const accessQuery = pageQuery({ search }, largestPage);
type Query = { readonly page: number; readonly pageSize: number; readonly search: string };

const kinds = [
  { name: 'FullAccess', shape: boolean, column: sql`r.full_access` },
  { name: 'SendAs', shape: boolean, column: sql`r.send_as` },
  { name: 'SendOnBehalf', shape: boolean, column: sql`r.send_on_behalf` },
] as const;
/** The three kinds of permission as columns, over rows of `mailbox_permissions` that are grouped. */
const kindColumns = sql`bool_or(p.kind = 'FullAccess') as full_access, bool_or(p.kind = 'SendAs') as send_as,
  bool_or(p.kind = 'SendOnBehalf') as send_on_behalf`;

const holder = fields('r', [
  { name: 'EmailAddress', column: sql`r.address` },
  { name: 'Name' },
  { name: 'IsGroup', shape: boolean, column: sql`r.is_group` },
  ...kinds,
]);
const opened = fields('r', [
  { name: 'EmailAddress', column: sql`r.address` },
  { name: 'Name' },
  { name: 'Groups', shape: orNull(string), column: sql`r.groups` },
  ...kinds,
]);
export const holderPage = object({ Items: list(holder.schema), Total: integer });
export const openedPage = object({ Items: list(opened.schema), Total: integer });

const found = (words: string) =>
  sql`(${searchKeyOf(sql`r.name`)} like ${containing(words)} or ${searchKeyOf(sql`r.address`)} like ${containing(words)})`;
const order = sql`lower(r.address) collate "C"`;

type Place = { readonly customerId: string; readonly mailbox: string };

/**
 * Lists who may use a mailbox, people and groups, each with the kinds of permission.
 * @throws {CloudError} 404 as `findMailbox`
 */
export async function listHolders(db: Database, caller: Caller, at: Place, query: Query) {
  const { id } = await findMailbox(db, caller, at.customerId, at.mailbox);
  return await listPage(db, query, {
    fields: holder,
    from: sql`(
      select h.group_id is not null as is_group, coalesce(u.display_name, g.name) as name,
        coalesce(a.address, ga.address) as address, h.full_access, h.send_as, h.send_on_behalf
      from (
        select user_id, group_id, ${kindColumns} from mailbox_permissions p
        where p.mailbox_id = ${id} group by user_id, group_id
      ) h
        left join users u on u.id = h.user_id
        left join mailboxes m on m.user_id = h.user_id
        left join distribution_groups g on g.id = h.group_id
        left join mail_addresses a on a.mailbox_id = m.id and a.is_primary
        left join mail_addresses ga on ga.group_id = g.id and ga.is_primary
      where coalesce(a.address, ga.address) is not null
    ) r`,
    filters: { search: found },
    order,
  });
}

/**
 * Lists the mailboxes that the person of a mailbox may use, with the kinds of permission, and the groups through which
 * these come where any do. A mailbox that is nobody's opens none.
 * @throws {CloudError} 404 as `findMailbox`
 */
export async function listOpened(db: Database, caller: Caller, at: Place, query: Query) {
  const { userId } = await findMailbox(db, caller, at.customerId, at.mailbox);
  return await listPage(db, query, {
    fields: opened,
    from: sql`(
      select coalesce(o.display_name, a.address) as name, a.address, h.full_access, h.send_as, h.send_on_behalf, h.groups
      from (
        select p.mailbox_id, ${kindColumns}, string_agg(distinct p.via, ', ') as groups
        from (
          select mailbox_id, kind, null as via from mailbox_permissions where user_id = ${userId}
          union all
          select g.mailbox_id, g.kind, d.name
          from ${groupsAround(sql`${userId}`)} d join mailbox_permissions g on g.group_id = d.id
        ) p
        group by p.mailbox_id
      ) h
        join mailboxes m on m.id = h.mailbox_id and m.user_id is distinct from ${userId}
        join mail_addresses a on a.mailbox_id = m.id and a.is_primary
        left join users o on o.id = m.user_id
    ) r`,
    filters: { search: found },
    order,
  });
}
