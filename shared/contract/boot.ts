import type { LayoutText, NavigationLayout, PopupLayout, ScreenLayout } from '../language/types.ts';
import type { Envelope } from './envelope.ts';

/** `mustSign`: a reseller who may do nothing but sign the agreement (document 1, section 2.2). */
export type UserType = 'public' | 'reseller' | 'engineer' | 'endUserAdmin' | 'endUser' | 'mustSign';

/** A picture at an address of the portal, at the size that it is shown: at most 163 by 48 CSS pixels. */
export type LogoImage = { readonly src: string; readonly width: number; readonly height: number };

/** How a page looks that has the brand of a reseller (document 2, section 3: whitelabel). */
export type Look = {
  readonly name: string;
  /** Six hexadecimal digits, lower case. */
  readonly accent: string;
  /** Absent: as the device says. What somebody chose on this device goes before it. */
  readonly theme?: 'dark' | 'light';
  readonly logo?: LogoImage;
  readonly phoneLogo?: LogoImage;
  /** In place of the copyright line. */
  readonly footer?: string;
  /** True for a brand that its author tries and that nobody else sees. */
  readonly isTried?: true;
};

/** The facts of the caller that documents may show: the `principal` scope. Nothing here decides anything. */
export type PrincipalFacts = {
  readonly type: UserType;
  readonly name: string;
  readonly email: string;
  readonly userId: string;
  /** Names the account together with how it acts: of a page that says another, nothing is taken. */
  readonly identity: string;
  readonly organisationId: string;
  readonly organisationName: string;
  readonly currency: 'GBP' | 'EUR';
  readonly locale: string;
  /** The time zone that the person has chosen; absent: that of the browser. */
  readonly timeZone?: string;
  /** "hidden" where prices are hidden from the caller; absent otherwise. */
  readonly prices?: 'hidden';
  /** Who is really acting, by an admin jump. */
  readonly actor?: string;
  /** "custom" where pages have a reseller's brand, "tried" where its author tries one; absent with the portal's own look. */
  readonly brand?: 'custom' | 'tried';
  /** The https address of the reseller's own privacy policy. */
  readonly privacyPolicy?: string;
  /** The brand, for the shell; documents do not read it. */
  readonly look?: Look;
};

/** `GET /ui/boot`: what the browser needs before the first screen. Private, revalidated by its ETag. */
export type Boot = {
  /** Names all that follows; the socket says it, so that a page that missed a change is told. */
  readonly hash: string;
  /** Build of the browser's own code that this server serves. */
  readonly runtime: string;
  readonly principal: PrincipalFacts;
  /** Absent for a public caller. */
  readonly navigation?: NavigationLayout;
  /** Pattern, screen id and layout hash of every screen of the caller, in matching order. */
  readonly routes: readonly (readonly [pattern: string, id: string, hash: string])[];
  /** Hash of every popup of the caller, by id; also `GET /ui/popups`. */
  readonly popups: Readonly<Record<string, string>>;
  /** Where the caller lands. */
  readonly landing: string;
  /** The runtime's own words, by key. */
  readonly words: Readonly<Record<string, LayoutText>>;
};

/** A boot as a page carries it inline: it names no popups, which the browser asks for once they can be opened. */
export type PageBoot = Omit<Boot, 'popups'> & Partial<Pick<Boot, 'popups'>>;

/** `GET /ui/screen?path=…&have={hash}`: one round trip to open a screen. */
export type ScreenReply =
  | { readonly redirect: string }
  | {
      readonly hash: string;
      /** Parameters of the route, decoded. */
      readonly route: Readonly<Record<string, string>>;
      /** Absent when the browser has it already (`have`). */
      readonly layout?: ScreenLayout;
      /** First replies by source name; sources slower than 300 ms are absent and are read by the browser. */
      readonly data: Readonly<Record<string, Envelope>>;
    };

/** What a page carries inline (`<script type="application/json" id="boot">`). */
export type Page = {
  readonly boot: PageBoot;
  readonly screen: ScreenReply;
  /** First replies of the navigation's sources that its notices read, so that they are painted with the page. */
  readonly notices: Readonly<Record<string, Envelope>>;
};

/** `GET /ui/layouts/{hash}`. */
export type LayoutReply = ScreenLayout | PopupLayout | NavigationLayout;
