import { done, replies, succeed } from '../http/reply.ts';
import { type App, integer, list, object, openToAll, orNull, params, string } from '../http/schema.ts';
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

const said = 'If we know that name, a link to choose a new password is on its way.';

/**
 * Adds the routes about passwords that need no sign-in (document 1, section 7): the rules, mailing a link, and changing
 * the password by a link.
 * @param portal address of the portal that links in mails lead to
 */
export function addPasswordRoutes(app: App, { db, portalUrl: portal, now }: Parts): void {
  app.get(
    '/api/passwordsecurity/validationrules',
    { schema: { tags: ['passwords'], description: openToAll, response: replies(list(rule)) } },
    async () => succeed(await readRules(db)),
  );

  app.post(
    '/api/users/reset-password',
    {
      schema: {
        tags: ['passwords'],
        description: openToAll,
        // Any name gets the same reply, also one that no account may have.
        body: object({ UserName: { type: 'string', maxLength: 254, format: 'cloud-filled' } }),
        response: replies(string),
      },
    },
    async ({ body }) => {
      await sendLinks(db, body.UserName, portal, now());
      return succeed(said);
    },
  );

  app.put(
    '/api/users/:type/:name/change-password',
    {
      schema: {
        tags: ['passwords'],
        description: openToAll,
        params: params('type', 'name'),
        body: object({ key: orNull(string), oldPassword: orNull(password), newPassword: password }),
        response: replies(),
      },
    },
    async ({ params: { type, name }, body: { key, oldPassword, newPassword } }) => {
      await changePassword(db, type, name, { key, oldPassword }, newPassword, now());
      return done('The password was changed.');
    },
  );
}

/** Adds the route with which signed-in users change their own password. */
export function addOwnPasswordRoute(app: App, { db, now }: Parts): void {
  app.put(
    '/api/users/:type/:name/update-password',
    {
      config: { needs: oneself, withoutRecord: true },
      schema: {
        tags: ['passwords'],
        params: params('type', 'name'),
        body: object({ oldPassword: password, newPassword: password }),
        response: replies(),
      },
    },
    async ({ signedIn, body: { oldPassword, newPassword } }) => {
      await updatePassword(db, signedIn.accountId, signedIn.grantId, oldPassword, newPassword, now());
      return done('The password was changed.');
    },
  );
}
