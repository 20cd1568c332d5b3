import { managesUsers } from '../auth/needs.ts';
import { date, id, integer } from '../http/schema.ts';
import type { Resource } from '../resource/declaration.ts';
import { ofCustomer } from '../resource/owners.ts';
import type { DeletedUserRow } from './tables.ts';

/** The deleted users of a customer who can be restored. */
export const deletedUsers: Resource<DeletedUserRow> = {
  noun: 'deleted user',
  tag: 'users',
  table: 'deleted_users',
  path: '/api/customers/:customerId/deleted-users',
  key: 'userId',
  keyField: 'UserId',
  owner: ofCustomer,
  title: 'DisplayName',
  fields: [
    { name: 'UserId', shape: id },
    { name: 'DisplayName', sorts: true, searched: true, label: 'Name' },
    { name: 'Email', sorts: true, searched: true },
    { name: 'Type' },
    { name: 'Services', shape: integer },
    { name: 'Deleted', shape: date, sorts: true },
    { name: 'DeletedBy', sorts: true },
    { name: 'Until', shape: date, sorts: true },
  ],
  list: { needs: managesUsers, sort: '-Deleted', largestPage: 1000 },
};
