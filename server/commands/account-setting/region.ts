import { setImmediate as nextTurn } from 'node:timers/promises';
import { languageName } from '../../../shared/rules/language-name.ts';
import { searchKey } from '../../../shared/rules/search-key.ts';
import { readTimeZone, wallClock } from '../../../shared/rules/time-zone.ts';
import { textOf } from '../../operations/text-of.ts';
import type { PortalRequest } from '../portal-answer.ts';

/** Time zones that one search brings. */
const most = 50;

/** Cities that Node names as they were called before. */
const newNames: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Asmara',
  'America/Coral_Harbour': 'Atikokan',
  'America/Godthab': 'Nuuk',
  'Asia/Calcutta': 'Kolkata',
  'Asia/Katmandu': 'Kathmandu',
  'Asia/Rangoon': 'Yangon',
  'Asia/Saigon': 'Ho Chi Minh City',
  'Atlantic/Faeroe': 'Faroe Islands',
  'Europe/Kiev': 'Kyiv',
  'Pacific/Enderbury': 'Kanton',
  'Pacific/Ponape': 'Pohnpei',
  'Pacific/Truk': 'Chuuk',
};

type Zone = { readonly zone: string; readonly name: string; readonly region: string; readonly key: string };

/** The name of a time zone in general, such as "Eastern Time", in English; '' for one that has none. */
function generalName(timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'longGeneric' }).formatToParts(0);
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  return name.startsWith('GMT') ? '' : name.replace(' Standard Time', ' Time');
}

/** Gives a time zone as people find it: by its city, region and name in general. */
function describeZone(zone: string): Zone {
  const parts = zone.replaceAll('_', ' ').split('/');
  const name = newNames[zone] ?? String(parts.at(-1));
  const region = [...parts.slice(0, -1).reverse(), generalName(zone)]
    .filter(part => part !== '' && part !== name)
    .join(', ');
  return { zone, name, region, key: searchKey(`${name} ${region} ${zone.replaceAll(/[_/]/g, ' ')}`) };
}

/** Describes all time zones, by name. Each takes most of a millisecond: others are answered in between. */
async function describeAll(): Promise<readonly Zone[]> {
  const zones: Zone[] = [];
  for (const zone of new Set([...Intl.supportedValuesOf('timeZone'), 'UTC'])) {
    zones.push(describeZone(zone));
    if (zones.length % 10 === 0) await nextTurn();
  }
  return zones.sort((one, other) => one.name.localeCompare(other.name));
}

let known: Promise<readonly Zone[]> | undefined;

const two = (number: number): string => String(number).padStart(2, '0');

/** Writes how far the clocks of a time zone are from UTC at a moment, as "UTC+05:30", and what they show. */
function clockOf(zone: string, now: Date): string {
  const minutes = Math.round(wallClock(now, zone).getTime() / 60_000) - Math.floor(now.getTime() / 60_000);
  const past = Math.abs(minutes);
  const offset = minutes === 0 ? 'UTC' : `UTC${minutes < 0 ? '−' : '+'}${two(Math.floor(past / 60))}:${two(past % 60)}`;
  return `${offset}, now ${wallClock(now, zone).toISOString().slice(11, 16)}`;
}

/** Lists the time zones that a search finds: those first whose name begins so, or without words that of the browser. */
export async function listTimeZones({ caller, parameters: { search } }: PortalRequest) {
  const words = searchKey(textOf(search));
  const { facts, browserTimeZone } = caller.principal;
  const own = [facts.timeZone, browserTimeZone].map(readTimeZone);
  const rank = ({ zone, name }: Zone): number =>
    words === '' ? Number(!own.includes(zone)) : Number(!searchKey(name).startsWith(words));
  known ??= describeAll();
  const found = (await known).filter(({ key }) => words.split(' ').every(word => key.includes(word)));
  const now = new Date();
  const shown = found.toSorted((one, other) => rank(one) - rank(other)).slice(0, most);
  return {
    Items: shown.map(({ zone, name, region }) => ({
      Zone: zone,
      Name: name,
      Detail: [region, clockOf(zone, now)].filter(Boolean).join(' · '),
    })),
    Total: found.length,
  };
}

/** Lists the languages that have texts, each named in itself, and which of them the caller has chosen. */
export async function listLanguages({ caller: { version, principal } }: PortalRequest) {
  const { profileLocale } = principal;
  return version.languages.map(language => ({
    ...{ Language: language, Name: languageName(language) },
    // "de-AT" is spoken to in "de" where there is no other.
    IsChosen: profileLocale === language || profileLocale?.split('-', 1)[0] === language,
  }));
}
