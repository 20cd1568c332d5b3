import { sql } from 'kysely';
import { readOwnDomains } from '../domains/own-domains.ts';
import { notFound } from '../http/errors.ts';
import { isEmail } from '../http/formats.ts';
import { type refusalData, refuseConflict, refuseField } from '../http/refusals.ts';
import { boolean, integer, list, object, string } from '../http/schema.ts';
import { notify } from '../notifications/store.ts';
import type { Database } from '../tables.ts';
import { normaliseAddress } from './address-form.ts';
import { findMailbox, type Mailbox, tellOfMailbox, type Writing } from './mailbox.ts';

/** Addresses that a mailbox forwards to at most. */
export const mostForwards = 10;

export const forwardingInfo = object({
  Items: list(object({ Address: string, Name: string, IsOutside: boolean })),
  Total: integer,
  Most: integer,
  KeepCopy: boolean,
  /** Whether the security settings of the organisation let mail be forwarded outside. */
  MayLeave: boolean,
});

/** Whether the security settings of an organisation let mail be forwarded outside. */
export async function mayForwardOutside(db: Database, customerId: string): Promise<boolean> {
  const row = await db
    .selectFrom('mail_security')
    .select('forwards_outside')
    .where('customer_id', '=', customerId)
    .executeTakeFirst();
  return row?.forwards_outside ?? true;
}

/** Reads where a mailbox forwards its mail, by address, and whether it keeps a copy. */
export async function readForwarding(db: Database, { id, customerId }: Mailbox) {
  const { rows: Items } = await sql<{ Address: string; Name: string; IsOutside: boolean }>`
    select f.address as "Address", coalesce(u.display_name, g.name, k.name, '') as "Name",
      not exists (select from organisation_domains d
        where d.customer_id = f.customer_id and d.ascii = lower(split_part(f.address, '@', 2))) as "IsOutside"
    from mail_forwards f
      left join mail_addresses a on lower(a.address) = lower(f.address) and a.customer_id = f.customer_id
      left join mailboxes m on m.id = a.mailbox_id
      left join users u on u.id = m.user_id
      left join distribution_groups g on g.id = a.group_id
      left join mail_contacts k on k.id = a.contact_id
    where f.mailbox_id = ${id}
    order by lower(f.address) collate "C"`.execute(db);
  const { keeps_copy: KeepCopy } = await db
    .selectFrom('mailboxes')
    .select('keeps_copy')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const MayLeave = await mayForwardOutside(db, customerId);
  return { Items, Total: Items.length, Most: mostForwards, KeepCopy, MayLeave };
}

type Code = keyof typeof refusalData & `Forward${string}`;
type Target = {
  readonly address: string;
  readonly isOutside: boolean;
  readonly code?: Code;
  readonly data?: Readonly<Record<string, string>>;
};

/**
 * Finds whether mail that is sent to an address comes back to a mailbox, through what other mailboxes forward and the
 * members of groups. Gives the last address before it.
 */
async function findCircle(db: Database, { id, customerId }: Mailbox, address: string): Promise<string | undefined> {
  const { rows } = await sql<{ last: string }>`
    with recursive reached as (
      select lower(${address}::text) as address, lower(${address}::text) as last
      union
      select lower(t.address), r.address
      from reached r
        join mail_addresses a on lower(a.address) = r.address and a.customer_id = ${customerId}
        cross join lateral (
          select f.address from mail_forwards f where f.mailbox_id = a.mailbox_id and a.mailbox_id <> ${id}
          union all
          select pa.address from group_members gm
            left join mailboxes m on m.user_id = gm.user_id or m.id = gm.mailbox_id
            join mail_addresses pa on pa.is_primary and (pa.mailbox_id = m.id or pa.group_id = gm.member_group_id)
          where gm.group_id = a.group_id
        ) t
    )
    select r.last from reached r join mail_addresses a on lower(a.address) = r.address
    where a.mailbox_id = ${id} limit 1`.execute(db);
  return rows[0]?.last;
}

/** Says whether a mailbox may forward to an address, or else the code of why not. */
export async function validateTarget(db: Database, mailbox: Mailbox, given: string): Promise<Target> {
  const address = normaliseAddress(given.trim());
  const refused = (code: Code, data?: Target['data']): Target => ({
    ...{ address, isOutside: false, code, ...(data && { data }) },
  });
  if (!isEmail(address)) return refused('ForwardMalformed');
  const { Items } = await readForwarding(db, mailbox);
  if (Items.some(({ Address }) => Address.toLowerCase() === address.toLowerCase())) return refused('ForwardTwice');
  if (Items.length >= mostForwards) return refused('ForwardFull', { Most: String(mostForwards) });
  const domains = await readOwnDomains(db, mailbox.customerId);
  if (!domains.has(address.slice(address.lastIndexOf('@') + 1).toLowerCase())) {
    const mayLeave = await mayForwardOutside(db, mailbox.customerId);
    return mayLeave ? { address, isOutside: true } : refused('ForwardForbidden');
  }
  const holder = await db
    .selectFrom('mail_addresses')
    .select('mailbox_id')
    .where(sql`lower(address)`, '=', address.toLowerCase())
    .where('customer_id', '=', mailbox.customerId)
    .executeTakeFirst();
  if (!holder) return refused('ForwardUnknown');
  if (holder.mailbox_id === mailbox.id) return refused('ForwardItself');
  const last = await findCircle(db, mailbox, address);
  return last === undefined ? { address, isOutside: false } : refused('ForwardCircle', { By: last });
}

export const forwardCheck = object({ Code: string, Address: string, By: string, IsOutside: boolean });

/** The same for who is typing. */
export async function checkTarget(db: Database, mailbox: Mailbox, given: string) {
  const {
    address: Address,
    isOutside: IsOutside,
    code: Code = 'Free',
    data,
  } = await validateTarget(db, mailbox, given);
  return { Code, Address, By: data?.By ?? '', IsOutside };
}

type Place = { readonly customerId: string; readonly mailbox: string };

async function lockMailbox({ trx, caller }: Writing, at: Place): Promise<Mailbox> {
  const mailbox = await findMailbox(trx, caller, at.customerId, at.mailbox);
  // Two that begin to forward to each other at once would make a circle.
  await trx.selectFrom('customers').select('id').where('id', '=', mailbox.customerId).forUpdate().execute();
  return mailbox;
}

/** Tells the owner of a mailbox that its mail leaves the organisation. */
async function tellOwner({ trx, now }: Writing, mailbox: Mailbox, address: string): Promise<void> {
  const accounts = await trx.selectFrom('accounts').select('id').where('user_id', '=', mailbox.userId).execute();
  const content = `New mail of ${mailbox.address} is forwarded to ${address}, outside of your organisation. If you did not expect this, ask your administrator.`;
  const note = {
    service_name: 'Hosted Exchange',
    message: 'Your mail is forwarded outside',
    category: 'warning',
  } as const;
  const ids = accounts.map(({ id }) => id);
  await notify(trx, ids, { ...note, content }, now);
}

/**
 * Forwards the mail of a mailbox to one more address. One outside the organisation must be confirmed, and the owner is
 * told.
 * @throws {CloudError} 404 as `findMailbox`; 400 for an address that mail may not go to; 409 for one outside that is not
 * confirmed
 */
export async function addForward(
  writing: Writing,
  at: Place,
  { Address, IsConfirmed = false }: { readonly Address: string; readonly IsConfirmed?: boolean },
): Promise<void> {
  const { trx, now } = writing;
  const mailbox = await lockMailbox(writing, at);
  const { address, isOutside, code, data } = await validateTarget(trx, mailbox, Address);
  if (code) throw refuseField('Address', code, (data ?? {}) as never);
  if (isOutside && !IsConfirmed) throw refuseConflict('ForwardUnconfirmed', { Address: address });
  const row = { customer_id: mailbox.customerId, mailbox_id: mailbox.id, address, created: now };
  await trx.insertInto('mail_forwards').values(row).execute();
  await tellOfMailbox(writing, mailbox, { action: 'Forwarding added', after: address });
  if (isOutside) await tellOwner(writing, mailbox, address);
}

/**
 * Forwards no more to an address.
 * @throws {CloudError} 404 as `findMailbox`, and where mail is not forwarded there
 */
export async function deleteForward(writing: Writing, at: Place, address: string): Promise<void> {
  const mailbox = await lockMailbox(writing, at);
  const { address: before } = await writing.trx
    .deleteFrom('mail_forwards')
    .where('mailbox_id', '=', mailbox.id)
    .where(sql`lower(address)`, '=', normaliseAddress(address).toLowerCase())
    .returning('address')
    .executeTakeFirstOrThrow(notFound);
  await tellOfMailbox(writing, mailbox, { action: 'Forwarding deleted', before });
}

/** Says whether a mailbox keeps a copy of what it forwards. */
export async function keepCopy(writing: Writing, at: Place, keeps_copy: boolean): Promise<void> {
  const mailbox = await lockMailbox(writing, at);
  const { numUpdatedRows } = await writing.trx
    .updateTable('mailboxes')
    .set({ keeps_copy })
    .where('id', '=', mailbox.id)
    .where('keeps_copy', '<>', keeps_copy)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  const word = (keeps: boolean) => `Keep a copy: ${keeps ? 'Yes' : 'No'}`;
  const told = { before: word(!keeps_copy), after: word(keeps_copy) };
  await tellOfMailbox(writing, mailbox, { action: 'Forwarding changed', ...told });
}
