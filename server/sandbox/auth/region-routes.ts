import { readTimeZone } from '../../../shared/rules/time-zone.ts';
import { invalid } from '../http/errors.ts';
import { routeAdder } from '../http/route.ts';
import { type App, object, partial, string, text } from '../http/schema.ts';
import { sendHint } from '../notifications/hints.ts';
import type { Parts } from '../parts.ts';
import { clockOfAccount } from './clock.ts';
import { anyone, inPerson } from './needs.ts';

/** Chosen in place of a language or time zone: that of the browser. */
const ofBrowser = 'browser';
/** A language, such as "de" or "de-AT". */
export const languagePattern = '[a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,2}';
const language = { ...text(20), pattern: `^(?:${ofBrowser}|${languagePattern})$` } as const;
export const zone = text(60);

const region = object({ Language: string, TimeZone: string, MailTimeZone: string });

/** @throws {CloudError} 400 for a time zone that there is not */
export function requireZone(name: string): void {
  if (readTimeZone(name) === undefined) throw invalid({ TimeZone: ['There is no such time zone.'] });
}

/**
 * Adds the routes of the caller's own language and time zone. Without a choice, which is answered as an empty text, they
 * are those of the browser, which tells its time zone for the mails.
 */
export function addRegionRoutes(app: App, { db }: Parts): void {
  const route = routeAdder(app, db, { tags: ['account'], needs: anyone });
  const path = '/api/account-settings/region';

  route(`GET ${path}`, { reply: region }, async ({ caller }) => ({
    ...{ Language: caller.locale ?? '', TimeZone: caller.timeZone ?? '' },
    MailTimeZone: (await clockOfAccount(db, caller.accountId)).timeZone,
  }));

  const body = partial({ Language: language, TimeZone: zone });
  route(`PUT ${path}`, { needs: inPerson, body, once: true }, async ({ trx, caller, body: { Language, TimeZone } }) => {
    const kept = (chosen: string): string | null => (chosen === ofBrowser ? null : chosen);
    if (TimeZone !== undefined && TimeZone !== ofBrowser) requireZone(TimeZone);
    const changes = {
      ...(Language !== undefined && { locale: kept(Language) }),
      ...(TimeZone !== undefined && { time_zone: kept(TimeZone) }),
    };
    if (Object.keys(changes).length > 0)
      await trx.updateTable('accounts').set(changes).where('id', '=', caller.accountId).execute();
    // Every page of the person is written anew.
    await sendHint(trx, { account: caller.accountId }, { kind: 'permissions-changed' });
    return 'Your language and time zone are saved.';
  });

  route(`PUT ${path}/browser`, { needs: inPerson, body: object({ TimeZone: zone }) }, async ({ caller, body }) => {
    requireZone(body.TimeZone);
    const seen = { browser_time_zone: body.TimeZone };
    await db.updateTable('accounts').set(seen).where('id', '=', caller.accountId).execute();
    return 'The time zone is noted.';
  });
}
