import { boolean, date, id, integer, list, money, object, orNull, string } from '../http/schema.ts';

const customer = {
  OrganisationId: id,
  CustomerId: id,
  Name: string,
  Domain: string,
  Status: string,
  StatusGroup: string,
  Services: integer,
  Users: integer,
  MonthlySpend: money,
  Currency: string,
  LastChange: date,
} as const;

/** A page of customers, as the list shows it. */
export const customerList = object({
  Items: list(object(customer)),
  Page: integer,
  PageSize: integer,
  Total: integer,
  TotalIsExact: boolean,
  Counts: object({ All: integer, Active: integer, Changing: integer, Failed: integer, Suspended: integer }),
  MonthlySpend: orNull(money),
});

export const customerDetails = object({
  ...customer,
  MeteredLast7Days: orNull(money),
  HasUsage: { ...boolean, description: 'True where it has the cloud platform, by use.' },
  HasAccountNote: { ...boolean, description: 'True until its account note is closed.' },
  Created: date,
  ContactName: string,
  ContactEmail: string,
  Phone: string,
  Address1: string,
  Address2: string,
  TownCity: string,
  County: string,
  PostCode: string,
  AccountManager: string,
});

export const suggestion = object({ OrganisationId: id, Name: string, Status: string });

/** What happened, as one line of an activity. */
export const activityItem = object({
  Id: id,
  At: date,
  Actor: string,
  ActorType: string,
  RealActor: string,
  Action: string,
  Target: string,
  Outcome: { ...string, description: 'done or failed' },
  Detail: string,
  Before: string,
  After: string,
});

export const activityList = object({
  Items: list(activityItem),
  Total: integer,
  Actors: list(object({ Name: string })),
  Actions: list(object({ Name: string })),
});
