import type { Act } from '../../layouts/index.ts';
import { type CloudRights, namesOf, without } from './role-rights.ts';
import { type Acts, type Trying, tryActs } from './try-out.ts';

/** Most ways that are told of one call. */
const most = 60;

/** The kinds of users to whom roles are given, by their names in the cloud. */
export const userTypes = ['reseller', 'admin', 'endUserAdmin', 'endUser'] as const;

/** Tells whether something opens by rights. */
type Opens = (rights: CloudRights) => Promise<boolean>;
/** Rights that open something together, each of which it needs. */
export type Way = CloudRights;

/**
 * Finds the ways in which something opens: every smallest set of rights that is enough. More rights never open less, so
 * that somebody has it just when they hold all rights of some way. Nothing where `all` the rights do not open it.
 * @throws {RangeError} for more than 60 ways
 */
export async function findWays(all: CloudRights, opens: Opens): Promise<Way[]> {
  const ways: Way[] = [];
  const tried = new Set<string>();
  const search = async (among: CloudRights): Promise<void> => {
    const key = namesOf(among).join();
    if (tried.has(key)) return;
    tried.add(key);
    const isKnown = ways.find(way => namesOf(way).every(name => namesOf(among).includes(name)));
    const way = isKnown ?? ((await opens(among)) ? await shrink(among, opens) : undefined);
    if (!way) return;
    if (!isKnown) ways.push(way);
    if (ways.length > most) throw new RangeError(`more than ${most} ways`);
    // Any other way lacks a right of this one.
    for (const name of namesOf(way)) await search(without(among, name));
  };
  await search(all);
  return ways;
}

/** Takes away whatever is not needed, many at once while that goes well. */
async function shrink(rights: CloudRights, opens: Opens): Promise<Way> {
  let left = rights;
  const drop = async (names: readonly string[]): Promise<void> => {
    const fewer = names.reduce(without, left);
    if (await opens(fewer)) left = fewer;
    else if (names.length > 1) {
      const half = Math.ceil(names.length / 2);
      await drop(names.slice(0, half));
      await drop(names.slice(half));
    }
  };
  await drop(namesOf(rights));
  return left;
}

/** Tells which screens and calls anybody could have, by the most that the caller could give. */
export async function readActs(trying: Trying, held: CloudRights): Promise<Acts> {
  const all = new Map<string, Act>();
  for (const type of userTypes)
    for (const [key, act] of await tryActs(trying, type, held)) if (!all.has(key)) all.set(key, act);
  return all;
}

/** Finds, by kind of user, the ways in which a screen or call opens, of rights that the caller holds. */
export async function waysOf(trying: Trying, held: CloudRights, act: string) {
  const ways: { readonly userType: (typeof userTypes)[number]; readonly way: Way }[] = [];
  for (const userType of userTypes) {
    const opens = async (rights: CloudRights) => (await tryActs(trying, userType, rights)).has(act);
    for (const way of await findWays(held, opens)) ways.push({ userType, way });
  }
  return ways;
}
