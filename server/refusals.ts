/** How a value in the data of a refusal is written. Money is an amount in the `Currency` of the same data. */
export type RefusalDatum = 'money' | 'text';

/**
 * Refusals of the cloud that the portal has words for: the data of each, by name. The user is told the text
 * `server.refusal.<code>`, and `server.refusal.unknown` for any other code.
 */
export const refusals = {
  AccessAsked: {},
  AccessAskedOften: {},
  AccessChanged: { Name: 'text' },
  AccessHeld: {},
  AccessNobodyGives: {},
  AccessRequestEnded: {},
  AccountCurrency: { Currency: 'text' },
  AmountMalformed: {},
  AmountAboveOwed: { Owed: 'money' },
  AmountAboveMost: { Most: 'money' },
  CallbackFailed: {},
  CallbackForged: {},
  CallbackOld: {},
  CallbackUnknown: {},
  CallbackUsed: {},
  CardCurrency: { Currency: 'text' },
  CardExpired: {},
  CardInactive: {},
  ContractsUpToDate: {},
  CreditCurrency: { Currency: 'text' },
  CreditShort: {},
  DayOver: {},
  DebitExists: {},
  DebitInactive: {},
  DefaultInactive: {},
  DefaultMissing: {},
  HoldsMore: {},
  InvoiceCurrency: { Currency: 'text' },
  InvoiceNotNewest: {},
  InvoicePaid: {},
  LastAdministrator: {},
  MatchesChanged: {},
  MethodMissing: {},
  OwnLastRight: {},
  OwnRights: { Rights: 'text' },
  PasswordOfMore: { Rights: 'text' },
  PaymentDay: {},
  PaymentPending: {},
  PressMissing: {},
  PressUsed: {},
  PriceMalformed: {},
  PriceZero: {},
  RightsNotHeld: { Rights: 'text' },
  RoleChanged: { By: 'text' },
  RoleHeld: { People: 'text' },
  RoleNameTaken: {},
  RoleOfOthers: {},
  RolePredefined: {},
} as const satisfies Readonly<Record<string, Readonly<Record<string, RefusalDatum>>>>;

export type RefusalCode = keyof typeof refusals;
