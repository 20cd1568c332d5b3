import type { Caller } from './caller.ts';
import type { Permission, View } from './words.ts';

/** A right that a caller must hold for a route. Whose objects it may touch is said by customers/scope.ts. */
export type Need = {
  /** As written in the OpenAPI document. */
  readonly label: string;
  readonly isMet: (caller: Caller, params: Readonly<Record<string, string>>) => boolean;
};

declare module 'fastify' {
  interface FastifyContextConfig {
    needs?: Need;
    /** The route answers a caller without a permissions record too. */
    withoutRecord?: boolean;
  }
}

/** Whoever acts for another, by a jump, changes nothing of that person's own. */
export const inPerson: Need = { label: 'the account in person', isMet: ({ actorName }) => actorName === null };

export const anyone: Need = { label: 'any signed-in caller', isMet: () => true };

/** Requires that the caller has this view. */
export const view = (name: View): Need => ({ label: `view ${name}`, isMet: caller => caller.views.includes(name) });

/** Requires that the caller has this permission. */
export const permission = (name: Permission): Need => ({
  label: `permission ${name}`,
  isMet: caller => caller.permissions.includes(name),
});

/** The user that the path names is the caller. */
export const oneself: Need = {
  label: 'the user in person',
  isMet: (caller, params) => caller.userId !== null && String(caller.userId) === params.userId,
};

/** Requires that the caller meets at least one of these needs. */
export const anyOf = (...needs: readonly Need[]): Need => ({
  label: needs.map(({ label }) => label).join(' or '),
  isMet: (caller, params) => needs.some(need => need.isMet(caller, params)),
});

/** Requires that the caller meets all of these needs. */
export const allOf = (...needs: readonly Need[]): Need => ({
  label: needs.map(({ label }) => label).join(' and '),
  isMet: (caller, params) => needs.every(need => need.isMet(caller, params)),
});

/** Whoever has work on customers: each of these rights alone opens the screens of a customer. */
export const readsCustomers = anyOf(
  view('customers'),
  view('customerUsers'),
  view('manageService'),
  permission('addOrEditCustomers'),
);

/** Whoever adds, changes or deletes users of customers. */
export const managesUsers = anyOf(
  view('customerUsers'),
  permission('addOrEditCustomers'),
  permission('createCustomerAdmin'),
);

/** Whoever sells, manages or looks up services of customers. */
export const readsServices = anyOf(readsCustomers, view('marketplaceOrder'), permission('addProducts'));

/** The reseller's own people, and nobody of a customer. */
export const ofReseller: Need = { label: 'people of the reseller', isMet: ({ customerId }) => customerId === null };

/** People of the reseller who manage people and roles. */
export const managesPeople = allOf(view('manageUsers'), ofReseller);
/** Whoever invites the reseller's own people. */
export const invitesEngineers = allOf(managesPeople, permission('createResellerEngineer'));
/** Whoever invites administrators of customers. */
export const invitesCustomerAdmins = allOf(managesPeople, permission('createCustomerAdmin'));
/** Whoever changes how some of these sign in; whom of them follows from the permission. */
export const changesStaff = allOf(
  managesPeople,
  anyOf(permission('createResellerEngineer'), permission('createCustomerAdmin')),
);
