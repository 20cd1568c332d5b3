import type { Caller } from './caller.ts';
import type { Permission, View } from './words.ts';

/** What a caller must hold for a route. Whose objects it may touch is another question: see customers/scope.ts. */
export type Need = {
  /** As written in the OpenAPI document. */
  readonly label: string;
  readonly isMet: (caller: Caller, params: Readonly<Record<string, string>>) => boolean;
};

declare module 'fastify' {
  interface FastifyContextConfig {
    needs?: Need;
    /** The route answers a caller without a permissions record too. */
    withoutRecord?: boolean;
  }
}

export const anyone: Need = { label: 'any signed-in caller', isMet: () => true };

/** Requires that the caller has this view. */
export const view = (name: View): Need => ({ label: `view ${name}`, isMet: caller => caller.views.includes(name) });

/** Requires that the caller has this permission. */
export const permission = (name: Permission): Need => ({
  label: `permission ${name}`,
  isMet: caller => caller.permissions.includes(name),
});

/** The user that the path names is the caller. */
export const oneself: Need = {
  label: 'the user in person',
  isMet: (caller, params) => caller.userId !== null && String(caller.userId) === params.userId,
};

/** Requires that the caller meets at least one of two needs. */
export const either = (first: Need, second: Need): Need => ({
  label: `${first.label} or ${second.label}`,
  isMet: (caller, params) => first.isMet(caller, params) || second.isMet(caller, params),
});
