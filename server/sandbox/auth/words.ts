/** Types of accounts, and the rights that they may hold (document 1, section 6). An engineer is stored as admin. */
export const userTypes = ['reseller', 'admin', 'endUserAdmin', 'endUser'] as const;
export type UserType = (typeof userTypes)[number];

export const views = [
  'home',
  'customers',
  'billing',
  'pSA',
  'support',
  'academy',
  'knowledgeBase',
  'community',
  'manageService',
  'marketplaceOrder',
  'serviceAgreements',
  'myBusiness',
  'manageUsers',
  'settings',
  'switchUser',
  'customerUsers',
] as const;
export type View = (typeof views)[number];

export const permissions = [
  'addProducts',
  'addOrEditCustomers',
  'submitAndRespondToAllTickets',
  'liveChat',
  'hostedExchange',
  'advancedSecurity',
  'ownAliases',
  'createResellerEngineer',
  'createCustomerAdmin',
  'signAgreements',
] as const;
export type Permission = (typeof permissions)[number];
