import type { PrincipalFacts, UserType } from '../../shared/contract/boot.ts';

/** Who is calling: what requirements are judged by, and the facts that documents may show. */
export type Principal = {
  readonly type: UserType;
  readonly views: readonly string[];
  readonly permissions: readonly string[];
  /** Names of the features that are on. */
  readonly features: readonly string[];
  /** True when prices are seen (document 1, section 6). */
  readonly prices: boolean;
  readonly currency: 'GBP' | 'EUR';
  /** True while acting as another through switch or jump. */
  readonly switched: boolean;
  readonly facts: PrincipalFacts;
};

const nobody: PrincipalFacts = {
  type: 'public',
  name: '',
  email: '',
  userId: '',
  organisationId: '',
  organisationName: '',
  currency: 'GBP',
  locale: 'en-GB',
};

/** Anyone who is not signed in, recipients of public links among them. */
export const publicPrincipal: Principal = {
  type: 'public',
  views: [],
  permissions: [],
  features: [],
  prices: false,
  currency: 'GBP',
  switched: false,
  facts: nobody,
};
