import {
  boolean,
  date,
  email,
  filled,
  id,
  integer,
  list,
  money,
  object,
  orNull,
  phone,
  string,
  text,
} from '../http/schema.ts';

const mailbox = object({ Address: string, QuotaMb: integer, UsedMb: integer });

export const userList = object({
  Items: list(
    object({
      UserId: id,
      DisplayName: string,
      Email: string,
      Type: string,
      Status: string,
      Mailbox: orNull(string),
      LastSignIn: orNull(date),
      Created: date,
    }),
  ),
  Total: integer,
  TotalIsExact: boolean,
});

const details = object({
  UserId: id,
  DisplayName: string,
  FirstName: string,
  LastName: string,
  Email: string,
  Phone: string,
  JobTitle: string,
  Type: string,
  Status: string,
  Mailbox: orNull(mailbox),
  Groups: list(string),
  LastSignIn: orNull(date),
  Created: date,
  MonthlyCost: money,
  Currency: string,
  Notes: string,
});
/** Notes are there for the reseller's people only. */
export const userDetails = { ...details, required: details.required.filter(name => name !== 'Notes') };

const person = { FirstName: filled(50), LastName: filled(50) } as const;

const userChangeFields = object({ ...person, Phone: phone, JobTitle: text(100) });
/** An end user keeps the name, which only others change. */
export const userChange = { ...userChangeFields, required: ['Phone', 'JobTitle'] } as const;

const newUserFields = object({
  ...person,
  Email: email,
  Type: { enum: ['endUser', 'endUserAdmin'] },
  Phone: phone,
  Password: { type: 'string', maxLength: 256 },
});
/** Without a password the person cannot sign in until one is set. */
export const newUser = { ...newUserFields, required: ['FirstName', 'LastName', 'Email', 'Type'] } as const;
