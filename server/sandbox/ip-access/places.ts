import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { type CityResponse, Reader } from 'mmdb-lib';
import type { AddressRule, Place, PlaceOf } from '../../../shared/rules/address-rules.ts';
import { type AddressRange, parsePeer, parseRange, writeAddress } from '../../../shared/rules/ip-address.ts';
import { searchKey } from '../../../shared/rules/search-key.ts';

/** A country or a city that rules can be about. `Value` as in the rules, `Name` as people read it. */
export type NamedPlace = { readonly Value: string; readonly Name: string };
export type PlaceKind = Exclude<AddressRule['Kind'], 'Address'>;

type ListedPlace = NamedPlace & { readonly key: string };

/** Places of addresses, as the operator's file knows them. */
export type Places = {
  readonly placeOf: PlaceOf;
  /** The place of an address in words, such as "London, England, United Kingdom"; empty where it is not known. */
  nameOf(address: string): string;
  /** The kinds of places that the file tells apart. */
  readonly kinds: readonly PlaceKind[];
  /** When the file was made; null: there is none. */
  readonly made: Date | null;
  /** Finds a place by its value. The file is gone through when places are first asked for. */
  find(kind: PlaceKind, value: string): Promise<NamedPlace | undefined>;
  /** Finds places by words in their names; those that begin with them come first. */
  search(kind: PlaceKind, words: string): Promise<readonly NamedPlace[]>;
};

export const noPlaces: Places = {
  placeOf: () => undefined,
  nameOf: () => '',
  kinds: [],
  made: null,
  find: async () => undefined,
  search: async () => [],
};

/** The records read last: of a large file not all are kept. */
class RecordCache extends Map<string | number, unknown> {
  override set(key: string | number, value: unknown): this {
    if (this.size >= mostRecords) this.clear();
    return super.set(key, value);
  }
}
const mostRecords = 50_000;

/** Networks that are read before others have their turn. */
const atOnce = 2000;

/**
 * Reads the operator's file of places: a MaxMind DB of countries or cities (maxmind.github.io/MaxMind-DB). The country
 * is where an address is used, not where it is registered.
 * @throws where there is no such file, or another one; the message names it
 */
export function readPlaces(file: string): Places {
  const reader = open(file);
  const { databaseType, buildEpoch } = reader.metadata;
  const hasCities = /city/i.test(databaseType);
  let listed: Promise<ReadonlyMap<PlaceKind, readonly ListedPlace[]>> | undefined;
  const list = async (kind: PlaceKind): Promise<readonly ListedPlace[]> => {
    listed ??= listAll(reader, hasCities);
    return (await listed).get(kind) ?? [];
  };
  const look = (address: string): CityResponse | null => {
    const parsed = parsePeer(address);
    try {
      return parsed ? reader.get(writeAddress(parsed)) : null;
    } catch {
      // The file is broken there: the address is in no place that is known.
      return null;
    }
  };
  return {
    placeOf(address) {
      const found = look(address);
      return found ? placeOf(found) : undefined;
    },
    nameOf(address) {
      const found = look(address);
      return found ? nameOf(found) : '';
    },
    kinds: hasCities ? ['Country', 'City'] : ['Country'],
    made: buildEpoch,
    find: async (kind, value) => (await list(kind)).find(({ Value }) => Value === value),
    async search(kind, words) {
      const key = searchKey(words.trim());
      const found = (await list(kind)).filter(place => place.key.includes(key));
      const [first, others] = [true, false].map(isFirst =>
        found.filter(place => place.key.startsWith(key) === isFirst),
      );
      return [...first!, ...others!];
    },
  };
}

function open(file: string): Reader<CityResponse> {
  let reader: Reader<CityResponse>;
  try {
    reader = new Reader<CityResponse>(readFileSync(file), { cache: new RecordCache() });
  } catch (error) {
    throw new Error(`The file of places "${file}" cannot be read: ${(error as Error).message}`);
  }
  if (!/city|country/i.test(reader.metadata.databaseType))
    throw new Error(
      `The file of places "${file}" has no countries: it is of the type ${reader.metadata.databaseType}.`,
    );
  return reader;
}

function placeOf({ country, city }: CityResponse): Place | undefined {
  if (!country?.iso_code) return undefined;
  return { country: country.iso_code, ...(city?.geoname_id && { city: String(city.geoname_id) }) };
}

function nameOf({ city, subdivisions, country }: CityResponse): string {
  const names = [city?.names?.en, subdivisions?.[0]?.names?.en, country?.names?.en ?? country?.iso_code];
  return [...new Set(names.filter(name => name !== undefined))].join(', ');
}

/** All addresses that people may come from; of IPv6 without the networks in which those of IPv4 stand once more. */
const ranges = [
  '0.0.0.0/0',
  '2001:200::-2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  '2003::-3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
].map(text => parseRange(text) as AddressRange);

/** Goes through the file network by network, as it has no list of its places. */
async function listAll(
  reader: Reader<CityResponse>,
  hasCities: boolean,
): Promise<ReadonlyMap<PlaceKind, readonly ListedPlace[]>> {
  const countries = new Map<string, string>();
  const cities = new Map<string, string>();
  let turn = 0;
  for (const range of ranges.filter(({ version }) => version <= reader.metadata.ipVersion)) {
    const { version, to } = range;
    for (let value = range.from; value <= to; ) {
      const [found, length] = reader.getWithPrefixLength(writeAddress({ version, value }));
      const place = found ? placeOf(found) : undefined;
      if (found && place) {
        countries.set(place.country, found.country?.names?.en ?? place.country);
        if (hasCities && place.city && !cities.has(place.city)) cities.set(place.city, nameOf(found));
      }
      // On to the network after this one.
      const size = 1n << BigInt((version === 4 ? 32 : 128) - length);
      value = (value / size + 1n) * size;
      if (++turn % atOnce === 0) await setImmediate();
    }
  }
  return new Map([
    ['Country', byName(countries)],
    ['City', byName(cities)],
  ]);
}

function byName(places: ReadonlyMap<string, string>): ListedPlace[] {
  const { compare } = new Intl.Collator('en');
  const listed = [...places].map(([Value, Name]) => ({ Value, Name, key: searchKey(Name) }));
  return listed.sort((a, b) => compare(a.Name, b.Name));
}
