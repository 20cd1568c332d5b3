import { allOf, inPerson, type Need, view } from '../auth/needs.ts';
import { replies, succeed } from '../http/reply.ts';
import { routeAdder } from '../http/route.ts';
import { type App, boolean, date, email, filled, object, openToAll, orNull, phone, string } from '../http/schema.ts';
import { clientAddress } from '../ip-access/client-address.ts';
import { sendHint } from '../notifications/hints.ts';
import type { Parts } from '../parts.ts';
import { askToSignUp, confirmSignUp } from './ask.ts';
import { countryCodes } from './countries.ts';
import { newcomerFlag } from './decide.ts';
import { readStarterTasks, starterTaskNames } from './starter-tasks.ts';

const tags = ['sign-up'];
/** Under this address people sign in: as long as a user name (document 1, section 5). */
const userName = { ...email, maxLength: 100 } as const;

const asked = object({
  Company: filled(100),
  Name: filled(100),
  Email: userName,
  Phone: { ...phone, minLength: 1 },
  Country: { ...string, enum: countryCodes },
  Agreed: { ...boolean, const: true },
});

/**
 * Adds the routes by which a company asks to become a reseller (document 1, section 2.1: signup), without signing in.
 * Any address gets the same reply.
 */
export function addSignUpRoutes(app: App, { db, portalUrl, now }: Parts): void {
  const schema = { tags, description: openToAll };

  app.post('/api/public/sign-ups', { schema: { ...schema, body: asked, response: replies() } }, async request => {
    const { Company, Name, Email, Phone, Country } = request.body;
    const facts = { company: Company.trim(), name: Name.trim(), email: Email, phone: Phone, country: Country };
    await askToSignUp(db, { ...facts, address: clientAddress(request as never) }, portalUrl, now());
    return { Succeed: true, Messages: ['A mail says how to go on.'] };
  });

  const token = object({ Token: filled(100) });
  // A link that does not work says nothing of what is wrong with it.
  const outcome = object({ Outcome: { ...string, enum: ['Confirmed', 'Already', 'Ended'] }, At: orNull(date) });
  app.post(
    '/api/public/sign-ups/confirm',
    { schema: { ...schema, body: token, response: replies(outcome) } },
    async ({ body }) => {
      const confirmed = await confirmSignUp(db, body.Token, now());
      if (!confirmed) return succeed({ Outcome: 'Ended', At: null });
      return succeed({ Outcome: confirmed.already ? 'Already' : 'Confirmed', At: confirmed.at });
    },
  );
}

const beginner: Need = allOf(view('home'), {
  label: 'a reseller',
  isMet: ({ userType }) => userType === 'reseller',
});

/** Adds the routes of what a new reseller does first, and whether its administrator lands there. */
export function addStarterTaskRoutes(app: App, { db }: Parts): void {
  const route = routeAdder(app, db, { tags, needs: beginner });
  const done = Object.fromEntries(starterTaskNames.map(name => [name, boolean]));

  route('GET /api/first-steps', { reply: object({ IsShownFirst: boolean, ...done }) }, async ({ caller }) => {
    const shown = await db
      .selectFrom('feature_overrides')
      .select('enabled')
      .where('account_id', '=', caller.accountId)
      .where('feature_name', '=', newcomerFlag)
      .executeTakeFirst();
    return { IsShownFirst: shown?.enabled === true, ...(await readStarterTasks(db, caller)) };
  });

  route(
    'PUT /api/first-steps',
    { needs: allOf(beginner, inPerson), body: object({ IsShownFirst: boolean }), once: true },
    async ({ caller, body: { IsShownFirst: enabled }, trx }) => {
      await trx
        .insertInto('feature_overrides')
        .values({ account_id: caller.accountId, feature_name: newcomerFlag, enabled })
        .onConflict(known => known.columns(['account_id', 'feature_name']).doUpdateSet({ enabled }))
        .execute();
      await sendHint(trx, { account: caller.accountId }, { kind: 'permissions-changed' });
      return enabled ? 'The first steps are shown when you sign in.' : 'The first steps are put away.';
    },
  );
}
