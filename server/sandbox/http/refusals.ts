import { CloudError } from './errors.ts';

/** Codes of refusals in place of a sentence, with the names of their data. Whoever shows one has the words. */
export const refusalData = {
  AccentUnreadable: ['Nearest'],
  AccessAsked: [],
  AccessAskedOften: [],
  AccessChanged: ['Name'],
  AccessHeld: [],
  AccessNobodyGives: [],
  AccessRequestEnded: [],
  AccountCurrency: ['Currency'],
  ActAsOneself: [],
  ActBeyondRights: [],
  ActChanged: [],
  ActDecided: [],
  ActOutdated: [],
  ActOwn: [],
  ActsFull: ['Most'],
  AddressMalformed: [],
  AddressOutside: ['Address'],
  AdministratorWaits: [],
  AgreementRenewed: ['Agreement'],
  AlreadyLeft: ['By'],
  AmountMalformed: [],
  AmountAboveOwed: ['Owed', 'Currency'],
  AmountAboveMost: ['Most', 'Currency'],
  ApproverMissing: [],
  AuthorShutOut: ['Address'],
  BrandChanged: ['By'],
  CallbackFailed: [],
  CallbackForged: [],
  CallbackOld: [],
  CallbackUnknown: [],
  CallbackUsed: [],
  CardCurrency: ['Currency'],
  CardExpired: [],
  CardInactive: [],
  CompanyChanged: ['By'],
  SettingsChanged: ['By'],
  ContractsUpToDate: [],
  CreditCurrency: ['Currency'],
  CreditShort: [],
  DayOver: [],
  DebitExists: [],
  DebitInactive: [],
  DefaultInactive: [],
  DefaultMissing: [],
  DemandNumber: [],
  EmailTakenSince: [],
  HoldsMore: [],
  InvoiceCurrency: ['Currency'],
  InvoiceNotNewest: [],
  InvoicePaid: [],
  LastAdministrator: [],
  LastApprover: [],
  LimitEmpty: [],
  LimitWider: [],
  LogoAnimated: [],
  LogoBomb: [],
  LogoElement: ['Name'],
  LogoLarge: ['Most'],
  LogoOutside: [],
  LogoPixels: ['Width', 'Height'],
  LogoScript: [],
  LogoStyles: [],
  LogoUnreadable: [],
  MatchesChanged: [],
  MethodMissing: [],
  NotActive: [],
  Oneself: [],
  OwnLastRight: [],
  OwnRights: ['Rights'],
  PasswordOfMore: ['Rights'],
  PaymentDay: [],
  PaymentPending: [],
  PressMissing: [],
  PressUsed: [],
  PriceMalformed: [],
  PricesByRole: ['Name', 'Roles'],
  PricesOfReseller: ['Name'],
  PriceZero: [],
  ProfileChanged: ['Name'],
  RightsNotHeld: ['Rights'],
  RoleChanged: ['By'],
  RoleHeld: ['People'],
  RestoreOver: [],
  RoleNameTaken: [],
  RoleOfOthers: [],
  RolePredefined: [],
  RulesBeforeMissing: [],
  RulesChanged: ['By'],
  RulesFull: ['Most'],
  RulesNotInForce: [],
  RulesOnTrial: [],
  RulesUnchanged: [],
  SeesNotAll: [],
  SignInNameTakenSince: [],
  SignUpsFull: [],
  SignUpsOften: [],
  TrialOfOther: [],
  TrialOver: [],
  UndoOver: [],
  UserOrders: [],
} as const satisfies Readonly<Record<string, readonly string[]>>;

type Code = keyof typeof refusalData;
type Data<C extends Code> = Readonly<Record<(typeof refusalData)[C][number], string>>;
type Given<C extends Code> = (typeof refusalData)[C] extends readonly [] ? [] : [data: Data<C>];

/**
 * Makes the 400 for a field of the body, with a code that the portal has words for. Amounts in the data are decimals in
 * the `Currency` beside them.
 */
export const refuseField = <C extends Code>(Field: string, Code: C, ...[Data]: Given<C>) =>
  new CloudError(400, 'Invalid', [], undefined, [{ Field, Code, ...(Data && { Data }) }]);

/** Makes the 409 for a request that the present state does not allow, with a code that the portal has words for. */
export const refuseConflict = <C extends Code>(Code: C, ...[Data]: Given<C>) =>
  new CloudError(409, 'Conflict', [], undefined, [{ Code, ...(Data && { Data }) }]);

/** Makes the 400 for a write that must not be done twice and comes without the key of its press. */
export const pressMissing = () =>
  new CloudError(400, 'Invalid', [], undefined, [{ Code: 'PressMissing' satisfies Code }]);
