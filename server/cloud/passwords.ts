import { Ajv } from 'ajv';
import type { Operation } from '../../shared/language/types.ts';
import { type PasswordRules, passwordRulesSchema } from '../../shared/models/password-rules.ts';
import { createPattern } from '../../shared/rules/pattern.ts';
import { PortalError } from '../errors.ts';
import type { CloudReply, CloudRequest, Credentials } from './call.ts';
import type { Cloud } from './gate.ts';
import { interpretReply, isJson, readObject } from './outcome.ts';

/** Whose password, as the cloud names it: `type` is the cloud's own word for the kind of account. */
export type Owner = { readonly type: string; readonly name: string };

/** A link's key, or the old password, and the new one; byte for byte (document 1, section 3). */
export type PasswordChange = {
  readonly key: string | null;
  readonly oldPassword: string | null;
  readonly newPassword: string;
};

/** `wrong`: the old password; `weak`: the new one; `ended`: the link is none any more; `refused`: the cloud's own words. */
export type PasswordOutcome =
  | { readonly kind: 'changed' | 'wrong' | 'weak' | 'ended' }
  | { readonly kind: 'refused'; readonly reply: CloudReply };

/** The cloud's calls about passwords (document 1, sections 7 and 8). They throw a PortalError when it does not answer. */
export type Passwords = {
  /** Gives undefined when the request was taken, else what the cloud says: '' when it says nothing. */
  askForLink(userName: string): Promise<string | undefined>;
  /** For somebody who is not signed in. */
  change(owner: Owner, change: PasswordChange): Promise<PasswordOutcome>;
  /** For the signed-in user. */
  update(credentials: Credentials, owner: Owner, oldPassword: string, newPassword: string): Promise<PasswordOutcome>;
  /** What a new password must be. */
  rules(): Promise<PasswordRules>;
};

const owner = { type: { type: 'string' }, name: { type: 'string' } } as const;
const calls = {
  ask: { service: 'cloud', method: 'POST', path: '/api/users/reset-password' },
  change: { service: 'cloud', method: 'PUT', path: '/api/users/{type}/{name}/change-password', with: owner },
  update: { service: 'cloud', method: 'PUT', path: '/api/users/{type}/{name}/update-password', with: owner },
  rules: { service: 'cloud', method: 'GET', path: '/api/passwordsecurity/validationrules' },
  loginUser: { service: 'cloud', method: 'GET', path: '/api/users/login-user' },
} as const satisfies Record<string, Operation>;

const isRules = new Ajv({ strict: false }).compile<PasswordRules>(passwordRulesSchema);

const longest = 500;
const textOf = (value: unknown): string =>
  [value]
    .flat()
    .filter(item => typeof item === 'string')
    .join(' ')
    .slice(0, longest);

/** Milliseconds for which the rules count as known: they are asked about with every pause of who types a password. */
const rulesLast = 60_000;

/** Creates the client for the cloud's passwords: its rules (kept for some time), and changing a password. */
export function createPasswords(cloud: Cloud, now: () => number): Passwords {
  let known: { readonly at: number; readonly rules: Promise<PasswordRules> } | undefined;

  async function readRules(): Promise<PasswordRules> {
    const { envelope } = await cloud.call({ operation: calls.rules, parameters: {} });
    if (!envelope.Succeed) throw new PortalError('UPSTREAM_FAILED', { detail: calls.rules.path });
    const rules = envelope.Result;
    if (!isRules(rules)) throw new PortalError('MODEL_INVALID', { detail: 'rules for passwords' });
    try {
      for (const pattern of rules.flatMap(patternsOf)) createPattern(pattern);
    } catch (cause) {
      throw new PortalError('MODEL_INVALID', { cause, detail: 'pattern of a rule for passwords' });
    }
    return rules;
  }

  async function send(request: CloudRequest): Promise<PasswordOutcome> {
    const reply = await cloud.ask({ ...request, keepsToken: true });
    if (reply.status === 401) return { kind: 'wrong' };
    if (reply.status === 400) return { kind: 'weak' };
    if (reply.status === 404 || reply.status === 410) return { kind: 'ended' };
    const judged = await interpretReply(reply, request);
    return judged.envelope.Succeed ? { kind: 'changed' } : { kind: 'refused', reply: judged };
  }

  return {
    async askForLink(UserName) {
      const reply = await cloud.ask({ operation: calls.ask, parameters: {}, body: { UserName } });
      if (reply.status >= 500) throw new PortalError('UPSTREAM_FAILED', { detail: `status ${reply.status}` });
      const { Succeed, Errors, error_description } = isJson(reply.contentType) ? readObject(reply) : {};
      if (reply.status < 300 && Succeed === true) return undefined;
      return textOf((Errors as { EmailErrors?: unknown } | undefined)?.EmailErrors) || textOf(error_description);
    },
    change: (parameters, body) => send({ operation: calls.change, parameters, body }),
    async update(credentials, parameters, oldPassword, newPassword) {
      // 401 is said of a token and of a password alike: once the token has been taken, it is the password.
      await cloud.call({ operation: calls.loginUser, parameters: {}, credentials });
      return send({ operation: calls.update, parameters, body: { oldPassword, newPassword }, credentials });
    },
    rules() {
      if (known && now() - known.at < rulesLast) return known.rules;
      const reading = { at: now(), rules: readRules() };
      known = reading;
      reading.rules.catch(() => {
        if (known === reading) known = undefined;
      });
      return reading.rules;
    },
  };
}

type Rule = PasswordRules[number];

/** Gives the regular expressions of a rule for passwords; an empty list for a rule that has none. */
export function patternsOf(rule: Rule): readonly string[] {
  if (rule.Type === 'pattern') return [rule.Regex];
  return rule.Type === 'MultiplePattern' ? rule.Patterns : [];
}
