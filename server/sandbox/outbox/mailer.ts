import { sql } from 'kysely';
import { createTransport } from 'nodemailer';
import type { Work } from '../every.ts';
import type { Database } from '../tables.ts';
import { logoPart, printedBrandOf, writeBranded } from './branded.ts';

/** The HTML of a mail with the brand of its reseller, and the logo that it shows; nothing without one. */
async function brandedPart(db: Database, { reseller_id, body }: { reseller_id: number | null; body: string }) {
  const brand = await printedBrandOf(db, reseller_id);
  if (!brand) return {};
  const { logo } = brand;
  return {
    html: writeBranded(body, brand, `cid:${logoPart}`),
    ...(logo && { attachments: [{ filename: 'logo.png', cid: logoPart, content: logo.content }] }),
  };
}

/**
 * The headers by which a mail program offers to stop mails of this kind (RFC 2369); with one press where the address is
 * https, as it must be for that (RFC 8058). Only counts where the mail server signs both (DKIM).
 */
function unsubscribeHeaders(address: string): Record<string, string> {
  const isSecure = address.startsWith('https:');
  return {
    'List-Unsubscribe': `<${address}>`,
    ...(isSecure && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
  };
}

export type MailSettings = {
  /** smtp: or smtps:, with user and password where they are needed. */
  readonly smtpUrl: string;
  /** Sender address. */
  readonly from: string;
};

/** Milliseconds. A mail that could not be sent waits ever longer, and after a day it is of no use to anybody. */
const firstPause = 5000;
const longestPause = 15 * 60_000;
const lifetime = 86_400_000;
/** Longer than one attempt may take: the mail is nobody else's until then. */
const lease = 60_000;
const patience = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

/**
 * Creates a mailer whose run sends every mail of the outbox that is due by SMTP. It rejects only when the database fails. Every mail stays in the outbox,
 * with its state and the last failure. A mail that fails is retried with growing pauses for a day. Several processes
 * may send at once.
 */
export function createMailer(db: Database, { smtpUrl, from }: MailSettings, now: () => Date): Work {
  const transport = createTransport({ url: smtpUrl, ...patience });

  /** Takes one mail for this process; no transaction is open while it is sent. */
  const take = () =>
    db
      .updateTable('outbox')
      .set({ next_attempt: new Date(now().getTime() + lease), attempts: sql<number>`attempts + 1` })
      .where('id', '=', ({ selectFrom }) =>
        selectFrom('outbox')
          .select('id')
          .where('state', '=', 'waiting')
          .where(where => where.or([where('next_attempt', 'is', null), where('next_attempt', '<=', now())]))
          .orderBy('id')
          .limit(1)
          .forUpdate()
          .skipLocked(),
      )
      .returningAll()
      .executeTakeFirst();

  async function send(mail: NonNullable<Awaited<ReturnType<typeof take>>>): Promise<void> {
    const { id, created, attempts, recipient, subject, body, unsubscribe } = mail;
    const isOver = now().getTime() - created.getTime() > lifetime;
    try {
      if (isOver) throw new Error('It was not sent for a day.');
      // As an object: what looks like a list of addresses is one recipient all the same.
      await transport.sendMail({
        ...{ from, to: { name: '', address: recipient }, subject, text: body },
        ...(unsubscribe !== null && { headers: unsubscribeHeaders(unsubscribe) }),
        ...(await brandedPart(db, mail)),
      });
      await db.updateTable('outbox').set({ state: 'sent', failure: null }).where('id', '=', id).execute();
    } catch (error) {
      const pause = Math.min(firstPause * 2 ** (attempts - 1), longestPause);
      const left = isOver ? ({ state: 'given-up' } as const) : { next_attempt: new Date(now().getTime() + pause) };
      const failure = (error as Error).message.slice(0, 300);
      await db
        .updateTable('outbox')
        .set({ ...left, failure })
        .where('id', '=', id)
        .execute();
    }
  }

  return {
    async run() {
      for (let mail = await take(); mail; mail = await take()) await send(mail);
    },
    close: () => transport.close(),
  };
}
