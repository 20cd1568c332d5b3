import type { FastifyReply } from 'fastify';
import { CloudError } from '../http/errors.ts';
import { idOf } from '../http/ids.ts';
import { guardPage, type PageNotice, pageHeaders } from '../http/own-page.ts';
import type { App } from '../http/schema.ts';
import { readForms } from '../http/server.ts';
import type { Parts } from '../parts.ts';
import type { Database } from '../tables.ts';
import { acceptSignUp, declineSignUp, inviteAgain } from './decide.ts';
import { type SignUpLists, signUpPage } from './page.ts';
import type { SignUp } from './tables.ts';

const longestReason = 500;

async function readLists(db: Database): Promise<SignUpLists> {
  const waiting = await db
    .selectFrom('sign_ups')
    .selectAll()
    .where('state', '=', 'Waiting')
    .orderBy('confirmed')
    .orderBy('id')
    .execute();
  const invited = await db
    .selectFrom('sign_ups as s')
    .innerJoin('invitations as i', 'i.account_id', 's.account_id')
    .selectAll('s')
    .orderBy('s.decided', 'desc')
    .limit(100)
    .execute();
  return { waiting, invited };
}

/**
 * Adds the page on which whoever operates the sandbox accepts or declines the requests of resellers, to requests from this
 * machine.
 */
export function addSignUpPage(app: App, { db, portalUrl, now }: Parts): void {
  app.register(async (scope: App) => {
    readForms(scope);
    const options = { schema: { hide: true }, onRequest: guardPage };
    const show = async (reply: FastifyReply, said?: PageNotice) =>
      reply.headers(pageHeaders).send(signUpPage(await readLists(db), said));

    scope.get('/sign-ups', options, (_request, reply) => show(reply as FastifyReply));

    const decide = (verb: string, act: (id: number, reason: string) => Promise<string>) =>
      scope.post(`/sign-ups/:id/${verb}`, { ...options, bodyLimit: 16_384 }, async (request, answer) => {
        const { id } = request.params as { readonly id: string };
        const { reason = '' } = (request.body ?? {}) as { readonly reason?: string };
        const reply = answer as FastifyReply;
        try {
          return await show(reply, { text: await act(idOf(id), reason.trim()) });
        } catch (error) {
          if (!(error instanceof CloudError)) throw error;
          return show(reply.code(error.status), { text: error.messages[0] ?? error.message, isBad: true });
        }
      });

    const deciding = () => ({ db, portalUrl, now: now() });
    const tell = ({ company, email }: SignUp, what: string): string => `${company} ${what}. ${email} has a mail.`;
    decide('accept', async id => tell(await acceptSignUp(deciding(), id), 'is accepted'));
    decide('decline', async (id, reason) => {
      if (reason === '' || reason.length > longestReason)
        throw new CloudError(400, 'Invalid', ['Say why, in at most 500 characters.']);
      return tell(await declineSignUp(deciding(), id, reason), 'is declined');
    });
    decide('invite', async id => tell(await inviteAgain(deciding(), id), 'is invited again'));
  });
}
