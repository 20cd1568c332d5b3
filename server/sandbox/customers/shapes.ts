import { sql } from 'kysely';
import { boolean, date, id, integer, list, money, object, orNull, string } from '../http/schema.ts';
import { fields } from '../resource/fields.ts';
import { currencyOf } from './scope.ts';

/** A customer, as the list shows it. */
export const customer = fields('c', [
  { name: 'OrganisationId', shape: id },
  { name: 'CustomerId', shape: id, column: 'id' },
  { name: 'Name' },
  { name: 'Domain' },
  { name: 'Status' },
  { name: 'StatusGroup' },
  { name: 'Services', shape: integer },
  { name: 'Users', shape: integer },
  { name: 'MonthlySpend', shape: money, isNumber: true },
  { name: 'Currency', column: currencyOf('c') },
  { name: 'LastChange', shape: date },
]);

/** A page of customers. */
export const customerList = object({
  Items: list(customer.schema),
  Page: integer,
  PageSize: integer,
  Total: integer,
  TotalIsExact: boolean,
  Counts: object({ All: integer, Active: integer, Changing: integer, Failed: integer, Suspended: integer }),
  MonthlySpend: orNull(money),
});

/** Fields that a customer's page shows besides. */
export const contact = fields('c', [
  { name: 'Created', shape: date },
  { name: 'ContactName' },
  { name: 'ContactEmail' },
  { name: 'Phone' },
  { name: 'Address1', column: 'address1' },
  { name: 'Address2', column: 'address2' },
  { name: 'TownCity' },
  { name: 'County' },
  { name: 'PostCode' },
  { name: 'AccountManager' },
]);
export const customerDetails = object({
  ...customer.shapes,
  MeteredLast7Days: orNull(money),
  HasUsage: { ...boolean, description: 'True where it has the cloud platform, by use.' },
  HasAccountNote: { ...boolean, description: 'True until its account note is closed.' },
  ...contact.shapes,
});

export const suggestion = object({ OrganisationId: id, Name: string, Status: string });

const customerOf = (column: 'organisation_id' | 'name') =>
  sql`(select ${sql.ref(`c.${column}`)} from customers c where c.id = activity.customer_id)`;

/** A line of an activity. */
export const activity = fields('activity', [
  { name: 'Id', shape: id },
  { name: 'At', shape: date },
  { name: 'Actor' },
  { name: 'ActorType' },
  { name: 'RealActor' },
  { name: 'Action' },
  { name: 'Target' },
  {
    name: 'Outcome',
    shape: { ...string, description: 'done or failed' },
    column: sql`case when action like '% failed' then 'failed' else 'done' end`,
  },
  { name: 'Detail' },
  { name: 'Before' },
  { name: 'After' },
]);
/** A line of the activity of all customers; without a customer where it is about none. */
export const activityOfAll = fields('activity', [
  ...activity.list,
  { name: 'OrganisationId', shape: orNull(id), column: customerOf('organisation_id') },
  { name: 'CustomerName', shape: orNull(string), column: customerOf('name') },
]);
const pageOf = <S extends object>(line: S) => ({ Items: list(line), Total: integer, TotalIsExact: boolean }) as const;
const names = list(object({ Name: string }));

export const activityPage = pageOf(activity.schema);
export const activityList = object({ ...activityPage, Actors: names, Actions: names });
export const activityOfAllList = object({
  ...pageOf(activityOfAll.schema),
  Customer: { ...orNull(string), description: 'Name of the customer that was asked for.' },
  Actors: names,
  Actions: names,
});
