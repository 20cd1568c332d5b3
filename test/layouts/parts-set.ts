import { formatProblem } from '../../server/layouts/names/problem.ts';
import { compileSet, type Json, type SchemaSet } from '../fixtures/schemas.ts';

export const operations = {
  'users.list': {
    service: 'cloud',
    method: 'GET',
    path: '/users',
    with: { customerId: { type: 'string' }, page: { type: 'integer' } },
  },
};
export const table = {
  type: 'table',
  id: 'users',
  label: 'part.label',
  rows: 'data.users.Result.Items',
  key: 'Id',
  columns: ['part.columns', { id: 'name', title: 't.a', path: 'row.Name', to: '/home?who={part.customer}' }],
  empty: { title: 't.none' },
};
export const users: Json = {
  id: 'users',
  parameters: { customer: 'path', label: 'text', columns: 'list?' },
  data: { users: { operation: 'users.list', with: { customerId: 'part.customer' } } },
  children: [table],
};
export const home = (...children: Json[]): Json => ({ id: 'home', query: ['orgId', 'who'], children });
export const use = (more: Json = {}): Json => ({
  part: 'users',
  with: { customer: 'route.orgId', label: 't.label' },
  ...more,
});

/** A set with a screen of these nodes and the part `users`. */
export const setOf = (
  children: readonly Json[],
  parts: readonly Json[] = [users],
  more: Partial<SchemaSet> = {},
): SchemaSet => ({
  operations,
  screens: [home(...children)],
  parts,
  ...more,
});
export const problemsOf = (set: SchemaSet): string[] => compileSet(set).problems.map(formatProblem);

export const plain: Json = {
  id: 'plain',
  parameters: { name: 'name', of: 'path' },
  data: { list: { operation: 'users.list', with: { customerId: 'part.of' } } },
  state: { open: 'yes' },
  children: [
    { type: 'text', id: '{part.name}-total', path: 'data.list.Result.Total', when: { path: 'state.open', is: 'yes' } },
    { type: 'text', path: 'part.of' },
  ],
};
