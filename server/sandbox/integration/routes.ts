import type { Caller } from '../auth/caller.ts';
import { managesPeople, type Need, view } from '../auth/needs.ts';
import { routeAdder } from '../http/route.ts';
import { type App, boolean, date, integer, object, orNull, string } from '../http/schema.ts';
import { managesKeys } from '../manage-api/routes.ts';
import type { Parts } from '../parts.ts';
import { checkBusinessSystem, checkSignOn, readApi, readBusinessSystem, readSignOn, states } from './guides.ts';
import { hintIntegrations } from './hints.ts';

const common = {
  State: { ...string, enum: states },
  Checked: { ...orNull(date), description: 'When it was last looked at; null: never.' },
} as const;

type Guide = {
  readonly name: string;
  readonly needs: Need;
  readonly reply: object;
  readonly read: (parts: Parts, caller: Caller) => Promise<object>;
  /** Looks at what is outside of the cloud. */
  readonly check: (parts: Parts, caller: Caller) => Promise<void>;
};

const guides: readonly Guide[] = [
  {
    name: 'business-system',
    needs: view('pSA'),
    reply: object({
      ...common,
      System: { ...orNull(string), description: 'Name of the business system.' },
      CustomersLeft: { ...integer, description: 'Customers that are neither matched nor ignored.' },
      ServicesLeft: integer,
      Steps: object({
        ...{ Connected: boolean, SwitchedOn: boolean, Answers: boolean },
        ...{ CustomersMatched: boolean, ServicesMatched: boolean },
      }),
    }),
    read: readBusinessSystem,
    check: checkBusinessSystem,
  },
  {
    name: 'api',
    needs: managesKeys,
    reply: object({
      ...common,
      Steps: object({ KeyMade: boolean, Called: boolean, AddressesSaid: boolean, Lasts: boolean }),
    }),
    read: readApi,
    check: async () => undefined,
  },
  {
    name: 'sign-on',
    needs: managesPeople,
    reply: object({
      ...common,
      Linked: { ...integer, description: 'People of the reseller who sign in through an identity provider.' },
      Steps: object({ Answers: boolean, Linked: boolean, SignedIn: boolean }),
    }),
    read: readSignOn,
    check: checkSignOn,
  },
];

/**
 * Adds the routes of the integration guides (document 2, section 2): for each integration how far it is set up, and its own
 * check, which alone ticks a step.
 */
export function addIntegrationRoutes(app: App, parts: Parts): void {
  for (const { name, needs, reply, read, check } of guides) {
    const route = routeAdder(app, parts.db, { tags: ['integration'], needs });
    const path = `/api/integration-guides/${name}`;
    route(`GET ${path}`, { reply }, ({ caller }) => read(parts, caller));
    route(`POST ${path}/check`, { reply }, async ({ caller }) => {
      await check(parts, caller);
      await hintIntegrations(parts.db, caller.resellerId);
      return await read(parts, caller);
    });
  }
}
