import { sql } from 'kysely';
import { clockColumns, writeLongDay } from '../auth/clock.ts';
import { putMail } from '../outbox/mail.ts';
import type { Database, Write } from '../tables.ts';
import type { LinkPurpose } from './tables.ts';
import { issueToken } from './tokens.ts';

/** The rows of a table for which no link is out that still works, or has been used. */
const withoutLink = (purpose: LinkPurpose, id: string, now: Date) => sql<boolean>`not exists (
  select from link_tokens as t where t.purpose = ${purpose} and t.subject_id = ${sql.ref(id)}
    and (t.used is not null or t.expires > ${now}))`;

/**
 * Mails a link for everything that waits for its user and has no valid link yet: held-back mails, and access to the
 * mail archive.
 * @param portalUrl the portal's address from the configuration, never from a request
 */
export async function sendWaitingLinks(db: Database, portalUrl: string, now: Date): Promise<void> {
  await db.transaction().execute(async trx => {
    // Two processes that start together send each link once.
    await sql`select pg_advisory_xact_lock(hashtext(current_schema() || ' links'))`.execute(trx);
    await sendReleaseLinks(trx, portalUrl, now);
    for (const accessType of ['search', 'export'] as const) await sendArchiveLinks(trx, accessType, portalUrl, now);
  });
}

async function sendReleaseLinks(trx: Write, portalUrl: string, now: Date): Promise<void> {
  const waiting = await trx
    .selectFrom('quarantined_mails as q')
    .innerJoin('users as u', 'u.id', 'q.user_id')
    .innerJoin('customers as c', 'c.id', 'u.customer_id')
    .innerJoin('resellers as r', 'r.id', 'c.reseller_id')
    .leftJoin('accounts as a', 'a.user_id', 'u.id')
    .select(['q.id', 'q.user_id', 'q.sender', 'q.subject', 'q.received', 'u.first_name', 'u.email', ...clockColumns])
    .select(['c.reseller_id as resellerId', 'c.id as customerId'])
    .where('q.released', 'is', null)
    .where(withoutLink('spam-release', 'q.id', now))
    .orderBy('q.id')
    .execute();
  for (const { id, user_id, sender, subject, received, first_name, email, ...of } of waiting) {
    const token = await issueToken(trx, { purpose: 'spam-release', subject: id, user: user_id }, now);
    const link = new URL(`/spam-release/${token}/${user_id}`, portalUrl);
    const mail = {
      recipient: email,
      subject: `Held back as spam: ${subject}`,
      body: `Hello ${first_name},\n\nwe held back an email to you of ${writeLongDay(received, of)}.\n\nFrom: ${sender}\nSubject: ${subject}\n\nIf you expected it, release it here (once, within 30 days):\n${link}\n\nOtherwise there is nothing to do.`,
    };
    const { resellerId, customerId } = of;
    await putMail(trx, mail, now, { kind: 'HeldBack', resellerId, customerId });
  }
}

async function sendArchiveLinks(
  trx: Write,
  accessType: 'search' | 'export',
  portalUrl: string,
  now: Date,
): Promise<void> {
  const purpose = `archive-${accessType}` as const;
  const waiting = await trx
    .selectFrom('archive_requests as a')
    .innerJoin('users as u', 'u.id', 'a.user_id')
    .select(['a.id', 'a.user_id', 'u.first_name', 'u.email'])
    .where('a.access_type', '=', accessType)
    .where('a.verified', 'is', null)
    .where(withoutLink(purpose, 'a.id', now))
    .orderBy('a.id')
    .execute();
  for (const { id, user_id, first_name, email } of waiting) {
    const token = await issueToken(trx, { purpose, subject: id, user: user_id }, now);
    const link = new URL(`/verify-email-archive-access/${accessType}/${token}`, portalUrl);
    const right = accessType === 'search' ? 'search your email archive' : 'export from your email archive';
    const mail = {
      recipient: email,
      subject: 'Confirm access to your email archive',
      body: `Hello ${first_name},\n\nyou asked to ${right}. Confirm that it was you (once, within 30 days):\n${link}\n\nIf it was not you, ignore this email: without it nobody gets access.`,
    };
    await putMail(trx, mail, now);
  }
}
