import { languageName } from '../../../shared/rules/language-name.ts';
import { allOf, ofReseller, view } from '../auth/needs.ts';
import { languagePattern, requireZone, zone } from '../auth/region-routes.ts';
import { routeAdder } from '../http/route.ts';
import { type App, boolean, email, integer, object, partial, string, text } from '../http/schema.ts';
import { requireSeesAll } from '../limits/limit.ts';
import type { Parts } from '../parts.ts';
import { mailKinds } from './blocked-mails.ts';
import { readSettings, saveSettings } from './settings.ts';

const setsForCustomers = allOf(view('settings'), ofReseller);

const languageOrNone = { ...text(20), pattern: `^(?:${languagePattern})?$` } as const;

const optionalEmail = { anyOf: [email, { type: 'string', const: '' }] } as const;
const blocks = { BlockWelcome: boolean, BlockHeldBack: boolean, BlockNotification: boolean };
const settings = object({
  ...{ BackupAdmin: string, EndpointAdmin: string, ...blocks },
  ...{ TimeZone: string, Language: string, LanguageName: string },
  ...{ Version: integer, ChangedBy: string, CanUndo: boolean },
});
const body = partial(
  {
    ...{ BackupAdmin: optionalEmail, EndpointAdmin: optionalEmail, ...blocks },
    ...{ TimeZone: zone, Language: languageOrNone, Version: integer },
  },
  'Version',
);

/**
 * Adds the routes of what a reseller sets for all its customers (document 2, section 7: reseller settings for Acronis, the
 * Bitdefender administrator and blocked email notifications).
 */
export function addResellerSettingsRoutes(app: App, { db, now }: Parts): void {
  const route = routeAdder(app, db, { tags: ['reseller-settings'], needs: setsForCustomers });
  const path = '/api/reseller-settings';

  route(`GET ${path}`, { reply: settings }, async ({ caller }) => {
    const read = await readSettings(db, caller.resellerId);
    const blocked = mailKinds.map(kind => [`Block${kind}`, read.blocked_mails.includes(kind)] as const);
    return {
      ...{ BackupAdmin: read.backup_admin, EndpointAdmin: read.endpoint_admin, ...Object.fromEntries(blocked) },
      ...{ TimeZone: read.time_zone, Language: read.locale ?? '', LanguageName: languageName(read.locale ?? 'en') },
      ...{ Version: read.version, ChangedBy: read.changed_by, CanUndo: read.before !== null },
    };
  });

  route(`PUT ${path}`, { body, once: true }, async ({ trx, caller, body: given }) => {
    requireSeesAll(caller);
    const { BackupAdmin, EndpointAdmin, TimeZone, Language, Version } = given;
    if (TimeZone !== undefined) requireZone(TimeZone);
    await saveSettings(
      trx,
      caller,
      now(),
      ({ blocked_mails }) => ({
        ...(BackupAdmin !== undefined && { backup_admin: BackupAdmin.toLowerCase() }),
        ...(EndpointAdmin !== undefined && { endpoint_admin: EndpointAdmin.toLowerCase() }),
        ...(TimeZone !== undefined && { time_zone: TimeZone }),
        ...(Language !== undefined && { locale: Language || null }),
        blocked_mails: mailKinds.filter(kind => given[`Block${kind}`] ?? blocked_mails.includes(kind)),
      }),
      Version,
    );
    return 'The settings are saved.';
  });

  route(`POST ${path}/undo`, { once: true }, async ({ trx, caller }) => {
    requireSeesAll(caller);
    await saveSettings(trx, caller, now(), ({ before }) => (before ? { ...before, isUndone: true } : {}));
    return 'The last change is undone.';
  });
}
