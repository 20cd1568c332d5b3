import type { Compiled } from '../../../server/layouts/names/pass.ts';
import { groupBy } from '../../../shared/rules/group-by.ts';
import type { Change, Comparison } from './compare-folders.ts';
import { createDescribeAudience } from './describe-audience.ts';
import { createExplainChange, placeOf } from './explain-change.ts';

/** Most lines of one audience of a document, most documents, and most names on a line, unless all are asked for. */
const mostLines = 12;
const mostDocuments = 25;
const mostNames = 6;

const order = ['document', 'node', 'call', 'command', 'parameter', 'field', 'input'];

/** Of a node that comes or goes, what stands in it comes or goes with it; so does all that is in a document. */
function outermost(changes: readonly Change[]): readonly { readonly change: Change; readonly inside: number }[] {
  const whole = changes.filter(({ fact }) => fact.kind === 'document');
  const nodes = changes.filter(({ fact }) => fact.kind === 'node');
  const holds = (outer: Change, { gained, fact: inner }: Change): boolean => {
    if (outer.gained !== gained || outer.fact === inner || inner.kind !== 'node') return false;
    if (outer.fact.kind === 'document') return true;
    const [above, below] = [outer.fact, inner].map(fact => `${fact.source.file} ${fact.at.join('/')}/`);
    return below!.startsWith(above!);
  };
  const holders = [...whole, ...nodes];
  return changes
    .filter(change => !holders.some(holder => holds(holder, change)))
    .map(change => ({
      change,
      inside: holders.includes(change) ? changes.filter(one => holds(change, one)).length : 0,
    }));
}

function countOf(changes: readonly Change[], gained: boolean): string {
  const words = { node: 'nodes', call: 'calls', field: 'fields' };
  const kinds: Readonly<Record<string, keyof typeof words>> = { command: 'call', parameter: 'field', input: 'field' };
  const counts = { node: 0, call: 0, field: 0 };
  for (const { gained: own, fact } of changes)
    if (own === gained && fact.kind !== 'document') counts[kinds[fact.kind] ?? (fact.kind as keyof typeof words)] += 1;
  const parts = Object.entries(counts).map(([kind, count]) => `${count} ${words[kind as keyof typeof words]}`);
  return parts.join(', ');
}

/** True when some caller gains something by the change of the documents. */
export const isWidening = ({ changes }: Comparison): boolean => changes.some(({ gained }) => gained);

const listNames = (names: readonly string[], most: number): string =>
  names.length > most ? `${names.slice(0, most).join(', ')} and ${names.length - most} more` : names.join(', ');

/** What several changes of one kind, with one reason, are called together. */
function nameOf(changes: readonly Change[], most: number): string {
  const names = changes.map(({ fact }) => fact.name);
  const { kind, of } = (changes[0] as Change).fact;
  if (kind === 'document') return names.join().replace(':', ' ');
  const together = `${kind}${names.length > 1 ? 's' : ''} ${listNames(names, most)}`;
  if (kind === 'node' || kind === 'command') return together;
  return kind === 'call' ? `call ${of.split(' ')[0]}, ${names.join()}` : `${together} of ${of}`;
}

/**
 * Describes what callers gain and lose by a change of the documents, grouped by document and by the callers concerned;
 * bounded in length unless `showAll`.
 */
export function describeComparison(
  { roles, changes }: Comparison,
  before: Compiled,
  after: Compiled,
  showAll: boolean,
): string {
  const describeAudience = createDescribeAudience(roles);
  const explainChange = createExplainChange(before, after);
  const limit = (most: number): number => (showAll ? Number.POSITIVE_INFINITY : most);

  const describeOne = (audience: string, own: readonly Change[]): string[] => {
    const entries = outermost(own).map(entry => ({ ...entry, reason: explainChange(entry.change) }));
    const groups = groupBy(entries, ({ change: { gained, fact }, inside, reason }) => {
      const isAlone = fact.kind === 'document' || fact.kind === 'call' || inside > 0;
      return JSON.stringify([gained, fact.kind, fact.of, reason, isAlone && fact.name]);
    });
    const sorted = [...groups.values()].toSorted(
      ([a], [b]) => order.indexOf(a!.change.fact.kind) - order.indexOf(b!.change.fact.kind),
    );
    const lines = sorted.slice(0, limit(mostLines)).map(group => {
      const { change, inside, reason } = group[0] as (typeof entries)[number];
      const those = group.map(one => one.change);
      const places = new Set(those.map(({ fact }) => placeOf(fact)));
      const more = inside === 0 ? '' : `, with ${inside} more nodes in it`;
      const where = `[${listNames([...places], limit(3))}]`;
      return `    ${change.gained ? '+' : '-'} ${nameOf(those, limit(mostNames))}${more}  ${where}\n        ${reason}`;
    });
    const rest = sorted.length - lines.length;
    return [`  ${audience}`, ...lines, ...(rest > 0 ? [`    … and ${rest} more`] : [])];
  };

  const bodies = [...groupBy(changes, ({ document }) => document)].map(([document, own]) => {
    const audiences = groupBy(own, change => describeAudience(change.roles));
    const lines = [...audiences].flatMap(([audience, those]) => describeOne(audience, those));
    return { document, text: lines.join('\n') };
  });
  // Screens that are variants of one document change alike.
  const alike = [...groupBy(bodies, ({ text }) => text)];
  const shown = alike.slice(0, limit(mostDocuments)).map(([text, those]) => {
    const names = those.map(({ document }) => document.replace(':', ' '));
    return `\n${listNames(names, limit(mostNames))}\n${text}`;
  });
  const rest = alike.length - shown.length;
  const total = `${roles.length} callers were tried.`;
  return [
    ...shown,
    ...(rest > 0 ? ['', `… and ${rest} more documents; --all shows everything`] : []),
    '',
    changes.length === 0
      ? `Nobody gains or loses anything. ${total}`
      : `Gained by somebody: ${countOf(changes, true)}. Lost by somebody: ${countOf(changes, false)}. ${total}`,
  ].join('\n');
}
