import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { boolean, date, id, integer, list, object, orNull, string } from '../http/schema.ts';
import { phasesOf } from '../jobs/phases.ts';
import { findRetryRefusal } from '../marketplace/eligibility.ts';
import type { Database } from '../tables.ts';
import { isProductOf } from './held.ts';

export const attentionGroups = ['Failed', 'Changing'] as const;
export type AttentionGroup = (typeof attentionGroups)[number];

/** Services that have failed or are changing, as a dashboard or a customer's overview shows them. */
export const attentionList = object({
  Items: list(
    object({
      Id: id,
      OrganisationId: id,
      CustomerName: string,
      ServiceName: string,
      Icon: string,
      Status: string,
      StatusGroup: string,
      Reason: orNull(string),
      LastChange: date,
      CanRetry: boolean,
      CanFix: boolean,
      Done: { ...integer, description: 'Phases of its change that are done.' },
      Phases: integer,
    }),
  ),
  Total: integer,
});

/** Restricts what is listed; without `customerId` it is the caller's whole reseller. */
export type AttentionQuery = { readonly customerId?: string; readonly group?: AttentionGroup };

/**
 * Lists the 50 changing and failed services to look at first: failed before changing, newest before older. Each says how
 * far its change has come, and whether the caller can try it again, as it is (`CanRetry`) or with other answers
 * (`CanFix`).
 */
export async function listAttention(db: Database, caller: Caller, { customerId, group }: AttentionQuery) {
  const restless = db
    .selectFrom('service_instances as i')
    .where('i.reseller_id', '=', caller.resellerId)
    .where('i.status_group', 'in', group === undefined ? [...attentionGroups] : [group])
    .$if(customerId !== undefined, found => found.where('i.customer_id', '=', customerId!));
  const rows = await restless
    .innerJoin('customers as c', 'c.id', 'i.customer_id')
    .innerJoin('products as p', join => join.on(isProductOf('i')))
    .leftJoin('jobs as j', join => join.onRef('j.instance_id', '=', 'i.id').on('j.state', '=', 'running'))
    .select([
      'i.id as Id',
      'c.organisation_id as OrganisationId',
      'c.name as CustomerName',
      'p.name as ServiceName',
      'p.icon as Icon',
      'i.status as Status',
      'i.status_group as StatusGroup',
      'i.reason as Reason',
      'i.last_change as LastChange',
      'c.suspended',
      'j.kind',
      'j.done',
      sql<number>`jsonb_array_length(p.offer -> 'Fields')`.as('fields'),
    ])
    .orderBy('i.status_group', 'desc')
    .orderBy('i.last_change', 'desc')
    .orderBy('i.id')
    .limit(50)
    .execute();
  const { Total } = await restless.select(({ fn }) => fn.countAll<number>().as('Total')).executeTakeFirstOrThrow();
  const mayChange = caller.permissions.includes('addProducts');
  const Items = rows.map(({ suspended, kind, done, fields, ...row }) => ({
    ...row,
    CanRetry: mayChange && findRetryRefusal(row.Status, suspended, false) === undefined,
    CanFix: mayChange && fields > 0 && findRetryRefusal(row.Status, suspended, true) === undefined,
    Done: done?.length ?? 0,
    Phases: kind === null ? 0 : phasesOf[kind].length,
  }));
  return { Items, Total };
}
