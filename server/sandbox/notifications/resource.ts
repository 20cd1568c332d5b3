import { sql } from 'kysely';
import { anyone } from '../auth/needs.ts';
import { date, id, orNull, string } from '../http/schema.ts';
import type { List, Resource } from '../resource/declaration.ts';
import { ofAccount } from '../resource/owners.ts';

const status = { enum: ['new', 'read', 'all'], default: 'all' } as const;
const list: List = {
  needs: anyone,
  sort: '-Created',
  filters: { status },
  largestPage: 100,
  withoutTotal: true,
};

/** SQL over a notification: what is known of the other person whose request it is about. */
const ofAsker = (column: string) => () =>
  sql<string | null>`(
  select asker.${sql.ref(column)}::text from access_requests q join accounts asker on asker.id = q.account_id
  where q.id = notifications.request_id and q.account_id <> notifications.account_id)`;

/** The caller's own notifications, the newest first. */
export const notifications: Resource = {
  noun: 'notification',
  tag: 'notifications',
  table: 'notifications',
  path: '/api/notifications',
  key: 'notificationId',
  owner: ofAccount,
  title: 'Message',
  fields: [
    { name: 'Id', shape: id },
    { name: 'Created', shape: date },
    { name: 'Added', column: 'created', shape: date },
    { name: 'ServiceName' },
    { name: 'Message' },
    { name: 'Content' },
    { name: 'Category' },
    { name: 'Status' },
    { name: 'OrganisationId', shape: orNull(id) },
    { name: 'InstanceId', shape: orNull(id) },
    { name: 'RequestId', shape: orNull(id) },
    { name: 'ApprovalId', shape: orNull(id) },
    { name: 'TicketId', shape: orNull(id) },
    // They lead somebody who can give the rights to the person who asks; null in notifications of the asker.
    { name: 'AskerName', shape: orNull(string), column: ofAsker('username') },
    { name: 'AskerType', shape: orNull(string), column: ofAsker('user_type') },
  ],
  list,
  lists: {
    '/api/notifications/filtered': {
      needs: anyone,
      sort: '-Created',
      filters: { status, category: { enum: ['info', 'success', 'warning', 'danger', 'all'], default: 'all' } },
      largestPage: 100,
      counts: { filter: 'status', values: { All: 'all', New: 'new', Read: 'read' } },
    },
  },
};
