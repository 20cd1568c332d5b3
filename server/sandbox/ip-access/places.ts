import type { Place, PlaceKind, PlaceOf } from '../../../shared/rules/address-rules.ts';
import { searchKey } from '../../../shared/rules/search-key.ts';
import { type ListedPlace, type PlaceFile, readMobileNetworkFile, readPlaceFile } from './place-files.ts';

/** A place that rules can be about. `Value` as in the rules, `Name` as people read it. */
export type NamedPlace = { readonly Value: string; readonly Name: string };

/** Places of addresses, as the operator's files know them. */
export type Places = {
  readonly placeOf: PlaceOf;
  /** The place of an address in words, such as "London, England, United Kingdom"; empty where it is not known. */
  nameOf(address: string): string;
  /** The kinds of places that the files tell apart. */
  readonly kinds: readonly PlaceKind[];
  /** When the oldest of the files was made; null: there is none. */
  readonly made: Date | null;
  /** Finds a place by its value. A file is gone through when its places are first asked for. */
  find(kind: PlaceKind, value: string): Promise<NamedPlace | undefined>;
  /** Finds places by words in their names; those that begin with them come first. */
  search(kind: PlaceKind, words: string): Promise<readonly NamedPlace[]>;
};

/** Paths of the operator's files, each of which may be missing. */
export type PlacePaths = { readonly places?: string | undefined; readonly mobileNetworks?: string | undefined };

/**
 * Reads the operator's files: one of countries or cities, and one of mobile networks.
 * @throws where there is no such file, or another one; the message names it
 */
export function readPlaces({ places, mobileNetworks }: PlacePaths): Places {
  return placesOf([
    ...(places === undefined ? [] : [readPlaceFile(places)]),
    ...(mobileNetworks === undefined ? [] : [readMobileNetworkFile(mobileNetworks)]),
  ]);
}

function placesOf(files: readonly PlaceFile[]): Places {
  const list = async (kind: PlaceKind): Promise<readonly ListedPlace[]> =>
    (await files.find(({ kinds }) => kinds.includes(kind))?.list(kind)) ?? [];
  const made = files.map(file => file.made.getTime());
  return {
    placeOf(address) {
      const found = files.map(file => file.placeOf(address)).filter(place => place !== undefined);
      return found.length > 0 ? Object.assign({} as Place, ...found) : undefined;
    },
    nameOf: address =>
      files
        .map(file => file.nameOf(address))
        .filter(name => name !== '')
        .join(', '),
    kinds: files.flatMap(({ kinds }) => kinds),
    made: made.length > 0 ? new Date(Math.min(...made)) : null,
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

export const noPlaces: Places = placesOf([]);
