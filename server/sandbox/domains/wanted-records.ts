import type { Looked, Lookup } from './dns/lookup.ts';
import type { FoundRecord, RecordState, recordPurposes } from './tables.ts';

/** A DNS record that a domain should have. */
export type WantedRecord = {
  readonly purpose: (typeof recordPurposes)[number];
  readonly type: 'MX' | 'TXT' | 'CNAME';
  /** Name within the domain; "@" for the domain itself. */
  readonly host: string;
  readonly value: string;
  /** False: mail works without it. */
  readonly isNeeded: boolean;
};
/** Lists the records that mail of a domain needs; `cloud` is the domain of the cloud's own servers. */
export const wantedRecords = (cloud: string): readonly WantedRecord[] => [
  { purpose: 'Mx', type: 'MX', host: '@', value: `10 mx.${cloud}`, isNeeded: true },
  { purpose: 'Spf', type: 'TXT', host: '@', value: `v=spf1 ${includeOf(cloud)} -all`, isNeeded: true },
  { purpose: 'Autodiscover', type: 'CNAME', host: 'autodiscover', value: `autodiscover.${cloud}`, isNeeded: true },
  { purpose: 'Dkim1', type: 'CNAME', host: 's1._domainkey', value: `s1._domainkey.${cloud}`, isNeeded: true },
  { purpose: 'Dkim2', type: 'CNAME', host: 's2._domainkey', value: `s2._domainkey.${cloud}`, isNeeded: true },
  { purpose: 'Dmarc', type: 'TXT', host: '_dmarc', value: 'v=DMARC1; p=none', isNeeded: false },
];

const includeOf = (cloud: string) => `include:spf.${cloud}`;

/** Gives the full name of a record in a domain. */
export const nameOf = ({ host }: WantedRecord, domain: string): string => (host === '@' ? domain : `${host}.${domain}`);

/** Asks DNS for one record of a domain, and says how what is set compares with what is wanted. */
export async function checkRecord(lookup: Lookup, wanted: WantedRecord, domain: string): Promise<FoundRecord> {
  const name = nameOf(wanted, domain);
  const of = (state: RecordState, found: readonly string[] = []): FoundRecord => ({
    purpose: wanted.purpose,
    state,
    found: found.slice(0, mostFound).map(text => text.slice(0, longestFound)),
  });
  const unanswered = (looked: Exclude<Looked<unknown>, { kind: 'found' }>) => of(stateOf(looked.kind, wanted));
  if (wanted.type === 'MX') {
    const looked = await lookup.mx(name);
    if (looked.kind !== 'found') return unanswered(looked);
    const sorted = [...looked.values].sort((a, b) => a.priority - b.priority);
    const first = sorted.filter(({ priority }) => priority === sorted[0]?.priority);
    const isRight = first.every(({ exchange }) => `10 ${exchange.toLowerCase()}` === wanted.value);
    return of(
      isRight ? 'Right' : 'Different',
      sorted.map(({ priority, exchange }) => `${priority} ${exchange}`),
    );
  }
  if (wanted.type === 'CNAME') {
    const looked = await lookup.aliases(name);
    if (looked.kind !== 'found') return unanswered(looked);
    return of(looked.values.includes(wanted.value) ? 'Right' : 'Different', looked.values);
  }
  const looked = await lookup.txt(name);
  if (looked.kind !== 'found') return unanswered(looked);
  const [version = ''] = wanted.value.split(/[ ;]/);
  const found = looked.values.filter(text => new RegExp(`^${version}(?:[ ;]|$)`, 'i').test(text));
  if (found.length === 0) return of('Missing');
  if (found.length > 1) return of('Several', found);
  const isRight = wanted.purpose === 'Spf' ? includes(found[0], wanted.value) : hasPolicy(found[0]);
  return of(isRight ? 'Right' : 'Different', found);
}

/** Bounds of what is kept of other people's records. */
const mostFound = 10;
const longestFound = 500;

const includes = (found = '', wanted = '') =>
  found
    .toLowerCase()
    .split(/\s+/)
    .some(term => term.replace(/^\+/, '') === wanted.split(' ')[1]);
/** RFC 7489, section 6.3. */
const hasPolicy = (found = '') => /;\s*p\s*=\s*(?:none|quarantine|reject)\s*(?:;|$)/i.test(found);

function stateOf(kind: 'none' | 'no-name' | 'failed' | 'silent' | 'loop', { host }: WantedRecord): RecordState {
  // A name below the domain that there is not is a record that is missing.
  if (kind === 'no-name') return host === '@' ? 'NoDomain' : 'Missing';
  return ({ none: 'Missing', failed: 'Failed', silent: 'Silent', loop: 'Loop' } as const)[kind];
}

/** Gives the value to set: of a domain with an SPF record of its own, that one with the cloud's servers added. */
export function valueToSet({ purpose, value }: WantedRecord, { state, found: [found = ''] }: FoundRecord): string {
  if (purpose !== 'Spf' || state !== 'Different') return value;
  const [version = '', ...terms] = found.split(/\s+/).filter(Boolean);
  return [version, value.split(' ')[1], ...terms].join(' ');
}
