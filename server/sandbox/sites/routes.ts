import { allOf, inPerson, ofReseller, permission, view } from '../auth/needs.ts';
import { notFound } from '../http/errors.ts';
import { routeAdder } from '../http/route.ts';
import { type App, described, object, string } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import { writesTickets } from '../support/scope.ts';
import { longestPayload, readPayload, writePayload } from './discourse-connect.ts';
import { readSecret } from './secrets.ts';
import { issueToken } from './tokens.ts';

/** Milliseconds for which an answered nonce of the forum is remembered: longer than it is good for. */
const nonceMemory = 3_600_000;

const handed = object({
  Address: described(string, 'Where the token is sent to, in the field "token" of a form.'),
  Token: described(string, 'Good once, for a minute.'),
});

/**
 * Adds the routes of tokens for sites beside the portal (document 1, section 7): of the forum, of the help centre and of
 * the portal of cloud servers. Each is for the account in person.
 */
export function addSiteRoutes(app: App, { db, now, signOn }: Parts): void {
  const route = routeAdder(app, db, { tags: ['sites'] });

  route(
    'GET /api/knowledge-base/help-juice-token',
    { needs: allOf(view('knowledgeBase'), inPerson), reply: handed },
    async ({ caller }) => ({
      Address: `${signOn.base()}/help-centre`,
      Token: await issueToken(db, 'help-centre', caller, now()),
    }),
  );

  route(
    'GET /api/cloud-server/token',
    { needs: allOf(view('manageService'), ofReseller, inPerson), reply: handed },
    async ({ caller }) => ({
      Address: `${signOn.base()}/server-portal`,
      Token: await issueToken(db, 'server-portal', caller, now()),
    }),
  );

  route(
    'GET /api/support/live-chat-token',
    {
      needs: allOf(writesTickets, permission('liveChat'), inPerson),
      summary:
        'Opens the live chat of support as the caller: its name, address and organisation are in the token alone.',
      reply: object({ Token: described(string, 'Good once, for a minute.') }),
    },
    async ({ caller }) => ({ Token: await issueToken(db, 'live-chat', caller, now()) }),
  );

  const member = allOf(view('community'), inPerson);
  route(
    'GET /api/forum',
    {
      needs: member,
      summary: 'Where one enters the forum, which asks back who comes.',
      reply: object({ Address: string }),
    },
    () => ({ Address: `${signOn.base()}/community/session/sso` }),
  );

  route(
    'GET /api/forum/token',
    {
      needs: member,
      summary: 'Answers a question of the forum (DiscourseConnect) with who the caller is, once.',
      query: {
        type: 'object',
        required: ['sso', 'sig'],
        additionalProperties: false,
        properties: {
          sso: { type: 'string', maxLength: longestPayload },
          sig: { type: 'string', pattern: '^[0-9a-fA-F]{64}$' },
        },
      },
      reply: object({ Address: described(string, 'Of the forum, with the answer and its signature.') }),
    },
    async ({ caller, query: { sso, sig } }) => {
      const secret = await readSecret(db, 'forum');
      const asked = readPayload(secret, sso, sig);
      const nonce = asked?.get('nonce') ?? '';
      const back = asked?.get('return_sso_url') ?? '';
      // Signed as it is, it leads nowhere but to the forum.
      if (!/^[\w-]{16,100}$/.test(nonce) || !URL.canParse(back) || new URL(back).origin !== signOn.base())
        throw notFound();
      const answered = now();
      await db
        .deleteFrom('forum_answers')
        .where('answered', '<', new Date(answered.getTime() - nonceMemory))
        .execute();
      const first = await db
        .insertInto('forum_answers')
        .values({ nonce, answered })
        .onConflict(known => known.column('nonce').doNothing())
        .executeTakeFirst();
      if (first.numInsertedOrUpdatedRows !== 1n) throw notFound();
      const { accountId, email, displayName } = caller;
      const said = writePayload(secret, {
        ...{ nonce, external_id: String(accountId), email, name: displayName },
        // The cloud knows that it is theirs.
        require_activation: 'false',
      });
      const address = new URL(back);
      for (const [name, value] of Object.entries(said)) address.searchParams.set(name, value);
      return { Address: address.href };
    },
  );
}
