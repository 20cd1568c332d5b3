import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { type CityResponse, type IspResponse, Reader, type Response } from 'mmdb-lib';
import type { Place, PlaceKind } from '../../../shared/rules/address-rules.ts';
import { type AddressRange, parsePeer, parseRange, writeAddress } from '../../../shared/rules/ip-address.ts';
import { searchKey } from '../../../shared/rules/search-key.ts';

/** A place of a file. `Value` as in the rules, `Name` as people read it, `key` as it is searched. */
export type ListedPlace = { readonly Value: string; readonly Name: string; readonly key: string };

/** One file of the operator, by address. */
export type PlaceFile = {
  /** The kinds of places that it tells apart. */
  readonly kinds: readonly PlaceKind[];
  readonly made: Date;
  placeOf(address: string): Place | undefined;
  /** In words; empty where the address is in no place that is known. */
  nameOf(address: string): string;
  /** All places of one of its kinds, by name. The file is gone through once. */
  list(kind: PlaceKind): Promise<readonly ListedPlace[]>;
};

/** How the records of a file are read. */
type Format<Kept extends Response> = {
  readonly kinds: readonly PlaceKind[];
  placeOf(kept: Kept): Place | undefined;
  /** The name of a record's place of a kind. */
  nameOf(kept: Kept, kind: PlaceKind): string;
};

/**
 * Reads a MaxMind DB of countries or cities (maxmind.github.io/MaxMind-DB). The country is where an address is used, not
 * where it is registered.
 * @throws where there is no such file, or another one; the message names it
 */
export function readPlaceFile(path: string): PlaceFile {
  const { reader, type } = open<CityResponse>(path);
  if (!/city|country|enterprise/i.test(type))
    throw new Error(`The file of places "${path}" has no countries: it is of the type ${type}.`);
  const hasCities = !/country/i.test(type);
  return openFile(reader, {
    kinds: hasCities ? ['Country', 'City'] : ['Country'],
    placeOf({ country, city }) {
      if (!country?.iso_code) return undefined;
      return { Country: country.iso_code, ...(hasCities && city?.geoname_id && { City: String(city.geoname_id) }) };
    },
    nameOf({ city, subdivisions, country }, kind) {
      const land = country?.names?.en ?? country?.iso_code ?? '';
      if (kind === 'Country') return land;
      const names = [city?.names?.en, subdivisions?.[0]?.names?.en, land];
      return [...new Set(names.filter(name => name))].join(', ');
    },
  });
}

/**
 * Reads a MaxMind DB of providers in which mobile networks have their codes (GeoIP2-ISP; ITU-T E.212).
 * @throws where there is no such file, or another one; the message names it
 */
export function readMobileNetworkFile(path: string): PlaceFile {
  const { reader, type } = open<IspResponse>(path);
  if (!/isp/i.test(type)) throw new Error(`The file of mobile networks "${path}" has none: it is of the type ${type}.`);
  const codesOf = (kept: IspResponse): string | undefined =>
    kept.mobile_country_code && kept.mobile_network_code
      ? `${kept.mobile_country_code}-${kept.mobile_network_code}`
      : undefined;
  return openFile(reader, {
    kinds: ['MobileNetwork'],
    placeOf(kept) {
      const codes = codesOf(kept);
      return codes ? { MobileNetwork: codes } : undefined;
    },
    nameOf(kept) {
      const codes = codesOf(kept);
      return codes ? `${kept.isp || kept.organization || 'Mobile network'} (${codes})` : '';
    },
  });
}

/** The records read last: of a large file not all are kept. */
class RecordCache extends Map<string | number, unknown> {
  override set(key: string | number, value: unknown): this {
    if (this.size >= mostRecords) this.clear();
    return super.set(key, value);
  }
}
const mostRecords = 50_000;

function open<Kept extends Response>(path: string): { readonly reader: Reader<Kept>; readonly type: string } {
  try {
    const reader = new Reader<Kept>(readFileSync(path), { cache: new RecordCache() });
    return { reader, type: reader.metadata.databaseType };
  } catch (error) {
    throw new Error(`The file of places "${path}" cannot be read: ${(error as Error).message}`);
  }
}

function openFile<Kept extends Response>(reader: Reader<Kept>, format: Format<Kept>): PlaceFile {
  const finest = format.kinds.at(-1)!;
  let listed: Promise<ReadonlyMap<PlaceKind, readonly ListedPlace[]>> | undefined;
  const look = (address: string): Kept | null => {
    const parsed = parsePeer(address);
    try {
      return parsed ? reader.get(writeAddress(parsed)) : null;
    } catch {
      // The file is broken there: the address is in no place that is known.
      return null;
    }
  };
  return {
    kinds: format.kinds,
    made: reader.metadata.buildEpoch,
    placeOf(address) {
      const found = look(address);
      return found ? format.placeOf(found) : undefined;
    },
    nameOf(address) {
      const found = look(address);
      return found ? format.nameOf(found, finest) : '';
    },
    async list(kind) {
      listed ??= listAll(reader, format);
      return (await listed).get(kind) ?? [];
    },
  };
}

/** All addresses that people may come from; of IPv6 without the networks in which those of IPv4 stand once more. */
const ranges = [
  '0.0.0.0/0',
  '2001:200::-2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  '2003::-3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
].map(text => parseRange(text) as AddressRange);

/** Networks that are read before others have their turn. */
const atOnce = 2000;

/** Goes through the file network by network, as it has no list of its places. */
async function listAll<Kept extends Response>(
  reader: Reader<Kept>,
  { kinds, placeOf, nameOf }: Format<Kept>,
): Promise<ReadonlyMap<PlaceKind, readonly ListedPlace[]>> {
  const names = new Map(kinds.map(kind => [kind, new Map<string, string>()]));
  let turn = 0;
  for (const range of ranges.filter(({ version }) => version <= reader.metadata.ipVersion)) {
    const { version, to } = range;
    for (let value = range.from; value <= to; ) {
      const [found, length] = reader.getWithPrefixLength(writeAddress({ version, value }));
      const place = found ? placeOf(found) : undefined;
      for (const [kind, known] of names) {
        const at = place?.[kind];
        if (found && at !== undefined && !known.has(at)) known.set(at, nameOf(found, kind));
      }
      // On to the network after this one.
      const size = 1n << BigInt((version === 4 ? 32 : 128) - length);
      value = (value / size + 1n) * size;
      if (++turn % atOnce === 0) await setImmediate();
    }
  }
  return new Map([...names].map(([kind, known]) => [kind, byName(known)]));
}

function byName(places: ReadonlyMap<string, string>): ListedPlace[] {
  const { compare } = new Intl.Collator('en');
  const listed = [...places].map(([Value, Name]) => ({ Value, Name, key: searchKey(Name) }));
  return listed.sort((a, b) => compare(a.Name, b.Name));
}
