import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { networkOf } from '../../shared/rules/ip-address.ts';
import { brandFacts, type Principal } from '../access/principal.ts';
import type { Brand, Brands } from '../cloud/brands.ts';
import { createRate } from './rate-limit.ts';

/** Milliseconds for which a brand that was read counts, and after which one that could not be read is asked for again. */
const fresh = 30_000;
const retry = 10_000;
/** Milliseconds that a page waits for a brand that this process does not know; it is drawn in the portal's look then. */
const patience = 300;
/** Addresses of brands that are kept; beyond, the one that was read longest ago goes. */
const most = 1000;
/** Addresses that this process does not know which one network may ask for in a minute. */
const unknownPerMinute = 60;

/** By which a visitor came: one of the configured host names, or the link of a partner. */
export type BrandAddress = { readonly host?: string; readonly link?: string };

type Known = { principal: Principal; json: string; readAt: number; reading: Promise<void> | undefined };

/** Finds how pages look for people who are not signed in. */
export type VisitorBrands = {
  /**
   * Gives `visitor` with the brand of the address, the same object until that changes. Never throws: without an answer
   * it is the brand of before, or the portal's own look.
   */
  find(address: BrandAddress, ip: string): Principal | Promise<Principal>;
  /** True when the address leads to a brand, or to a reseller without one. */
  exists(address: BrandAddress, ip: string): Promise<boolean>;
};

/** True for a text that can be the link of a partner. */
export const isPartnerLink = (link: string): boolean => /^[a-z0-9][a-z0-9-]{0,59}$/.test(link);

/** Creates the look-up of brands for visitors, over the calls of the cloud. */
export function createVisitorBrands(
  {
    brands,
    log,
    now,
  }: { readonly brands: Pick<Brands, 'ofAddress'>; readonly log: Logger; readonly now: () => number },
  visitor: Principal,
): VisitorBrands {
  const all = new Map<string, Known>();
  const unknown = createRate(unknownPerMinute);

  const take = (known: Known, brand: Brand | undefined): void => {
    const json = JSON.stringify(brand ?? null);
    if (json === known.json) return;
    known.json = json;
    known.principal = brand ? { ...visitor, facts: { ...visitor.facts, ...brandFacts(brand) } } : visitor;
  };
  const read = (known: Known, address: BrandAddress, ip: string): Promise<void> => {
    known.reading ??= brands
      .ofAddress(address, networkOf(ip))
      .then(
        found => {
          take(known, found?.brand);
          known.readAt = now();
        },
        (error: Error) => {
          known.readAt = now() - fresh + retry;
          log.warn({ reason: error.message }, 'the brand of an address could not be read');
        },
      )
      .finally(() => {
        known.reading = undefined;
      });
    return known.reading;
  };
  const isFresh = ({ readAt }: Known): boolean => Math.abs(now() - readAt) < fresh;

  return {
    find(address, ip) {
      const key = address.host ? `host ${address.host}` : `link ${address.link}`;
      const known = all.get(key);
      if (known) {
        // Whoever comes later gets what is being read now.
        if (!isFresh(known)) void read(known, address, ip);
        return known.principal;
      }
      if (!unknown.take(networkOf(ip))) return visitor;
      const added: Known = { principal: visitor, json: 'null', readAt: 0, reading: undefined };
      all.set(key, added);
      if (all.size > most) all.delete(all.keys().next().value as string);
      return Promise.race([read(added, address, ip), sleep(patience, undefined, { ref: false })]).then(
        () => added.principal,
      );
    },
    async exists(address, ip) {
      if (!unknown.take(networkOf(ip))) return false;
      try {
        return (await brands.ofAddress(address, networkOf(ip))) !== undefined;
      } catch {
        return false;
      }
    },
  };
}
