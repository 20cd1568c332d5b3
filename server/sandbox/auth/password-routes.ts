import { routeAdder } from '../http/route.ts';
import { type App, integer, list, object, orNull, string } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import type { Need } from './needs.ts';
import { changePassword, updatePassword } from './password-change.ts';
import { sendLinks } from './password-links.ts';
import { readRules } from './password-rules.ts';

/** Byte for byte: any character, and room for phrases. */
const password = { type: 'string', maxLength: 256 } as const;

const rule = {
  type: 'object',
  required: ['Type', 'Message'],
  properties: {
    Type: { enum: ['required', 'pattern', 'minLength', 'MinimumScore', 'MinimumLength', 'MultiplePattern'] },
    Name: string,
    Value: integer,
    Regex: string,
    Patterns: list(string),
    Message: string,
  },
} as const;

const oneself: Need = {
  label: 'the account in person',
  isMet: ({ userName, userType }, { type, name = '' }) =>
    userType === type && userName.toLowerCase() === name.toLowerCase(),
};

/** Any name gets the same reply, also one that no account may have. */
const said = 'If we know that name, a link to choose a new password is on its way.';

/**
 * Adds the routes about passwords that need no sign-in (document 1, section 7): the rules, mailing a link, and changing
 * the password by a link.
 * @param portal address of the portal that links in mails lead to
 */
export function addPasswordRoutes(app: App, { db, portalUrl: portal, now }: Parts): void {
  const route = routeAdder(app, db, { tags: ['passwords'] });

  route('GET /api/passwordsecurity/validationrules', { reply: list(rule) }, () => readRules(db));

  route(
    'POST /api/users/reset-password',
    { body: object({ UserName: { type: 'string', maxLength: 254, format: 'cloud-filled' } }), reply: string },
    async ({ body }) => {
      await sendLinks(db, body.UserName, portal, now());
      return said;
    },
  );

  route(
    'PUT /api/users/:type/:name/change-password',
    { body: object({ key: orNull(string), oldPassword: orNull(password), newPassword: password }) },
    async ({ params: { type, name }, body: { key, oldPassword, newPassword } }) => {
      await changePassword(db, type, name, { key, oldPassword }, newPassword, now());
      return 'The password was changed.';
    },
  );
}

/** Adds the route with which signed-in users change their own password. */
export function addOwnPasswordRoute(app: App, { db, now }: Parts): void {
  const route = routeAdder(app, db, { tags: ['passwords'], needs: oneself });

  route(
    'PUT /api/users/:type/:name/update-password',
    { body: object({ oldPassword: password, newPassword: password }), withoutRecord: true },
    async ({ caller, body: { oldPassword, newPassword } }) => {
      await updatePassword(db, caller.accountId, caller.grantId, oldPassword, newPassword, now());
      return 'The password was changed.';
    },
  );
}
