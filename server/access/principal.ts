import type { Look, PrincipalFacts, UserType } from '../../shared/contract/boot.ts';
import { defaultLocale } from '../../shared/rules/text.ts';

/** The other systems of the operator: the dashboard of single experience, and the portals that sell other things. */
export const partnerSystems = ['dashboard', 'comms', 'hardware', 'distribution'] as const;
export type PartnerSystem = (typeof partnerSystems)[number];

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
  /** The systems that its account is linked to, and the dashboard where it lands there; absent where there are none. */
  readonly systems?: readonly PartnerSystem[];
  /** True in the end-user view, while switched. */
  readonly switched: boolean;
  /** The user type before that, to which one switches back. */
  readonly previousType?: UserType;
  /** Where it lands outside of the portal, by configuration. */
  readonly home?: string;
  /** The language that its profile asks for, such as "de-AT"; absent where that says nothing. */
  readonly profileLocale?: string;
  /** The time zone that its browser last said, by which it is told of times until it chooses one. */
  readonly browserTimeZone?: string;
  /** Changes whenever the account sees fewer customers than before; absent as long as it never did. */
  readonly sight?: string;
  readonly facts: PrincipalFacts;
};

/** True for what names a language, such as "de" or "de-AT". */
export const isLanguageTag = (text: string): boolean => /^[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,3}$/i.test(text);

/** The facts that a brand adds to a principal; none for the portal's own look. */
export const brandFacts = (
  brand: { readonly look: Look; readonly privacyPolicy?: string } | undefined,
): Pick<PrincipalFacts, 'brand' | 'privacyPolicy' | 'look'> =>
  brand === undefined ? {} : { brand: brand.look.isTried ? 'tried' : 'custom', ...brand };

/** True for a session that an admin jump opened. */
export const isJumped = ({ facts }: Principal): boolean => facts.actor !== undefined;

const nobody: PrincipalFacts = {
  type: 'public',
  name: '',
  email: '',
  userId: '',
  identity: '',
  organisationId: '',
  organisationName: '',
  currency: 'GBP',
  locale: defaultLocale,
};

/** What anyone may do who is not signed in, recipients of public links among them. */
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

/** Gives the principal of a visitor who is not signed in (`publicPrincipal`), with this locale. */
export const publicPrincipalIn = (locale: string): Principal => ({
  ...publicPrincipal,
  facts: { ...nobody, locale },
});
