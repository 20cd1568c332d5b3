import type { NodeKind, NodeRules } from './node-kind.ts';
import { alertKind } from './nodes/alert.ts';
import { badgeKind } from './nodes/badge.ts';
import { bellKind } from './nodes/bell.ts';
import { buttonKind } from './nodes/button.ts';
import { cardKind } from './nodes/card.ts';
import { chartKind } from './nodes/chart.ts';
import { choicesKind } from './nodes/choices.ts';
import { columnsKind } from './nodes/columns.ts';
import { comboboxKind } from './nodes/combobox.ts';
import { dayKind } from './nodes/day.ts';
import { deliveredKind } from './nodes/delivered.ts';
import { emptyKind } from './nodes/empty.ts';
import { factsKind } from './nodes/facts.ts';
import { fieldKind } from './nodes/field.ts';
import { fieldRowsKind } from './nodes/field-rows.ts';
import { filterKind } from './nodes/filter.ts';
import { formKind } from './nodes/form.ts';
import { gridKind } from './nodes/grid.ts';
import { guideKind } from './nodes/guide.ts';
import { headingKind } from './nodes/heading.ts';
import { hostedPageKind } from './nodes/hosted-page.ts';
import { htmlKind } from './nodes/html.ts';
import { keptChoicesKind } from './nodes/kept-choices.ts';
import { linkKind } from './nodes/link.ts';
import { listKind } from './nodes/list.ts';
import { liveChatKind } from './nodes/live-chat.ts';
import { matchKind } from './nodes/match.ts';
import { menuKind } from './nodes/menu.ts';
import { policyKind } from './nodes/policy.ts';
import { progressKind } from './nodes/progress.ts';
import { qrCodeKind } from './nodes/qr-code.ts';
import { repeatKind } from './nodes/repeat.ts';
import { searchKind } from './nodes/search.ts';
import { sectionKind } from './nodes/section.ts';
import { signatureKind } from './nodes/signature.ts';
import { stackKind } from './nodes/stack.ts';
import { statKind } from './nodes/stat.ts';
import { statusKind } from './nodes/status.ts';
import { stepsKind } from './nodes/steps.ts';
import { strengthKind } from './nodes/strength.ts';
import { tableKind } from './nodes/table.ts';
import { tabsKind } from './nodes/tabs.ts';
import { taskKind } from './nodes/task.ts';
import { textKind } from './nodes/text.ts';
import { tickAllKind } from './nodes/tick-all.ts';
import { ticksKind } from './nodes/ticks.ts';
import { timelineKind } from './nodes/timeline.ts';
import { toolbarKind } from './nodes/toolbar.ts';
import { transferKind } from './nodes/transfer.ts';

/** Every node kind, by the name that documents write as `type`; its schema, rules and example stand in its file. */
export const nodeKinds = {
  section: sectionKind,
  card: cardKind,
  columns: columnsKind,
  stack: stackKind,
  toolbar: toolbarKind,
  tabs: tabsKind,
  repeat: repeatKind,
  heading: headingKind,
  text: textKind,
  html: htmlKind,
  'hosted-page': hostedPageKind,
  'live-chat': liveChatKind,
  alert: alertKind,
  badge: badgeKind,
  status: statusKind,
  facts: factsKind,
  stat: statKind,
  progress: progressKind,
  guide: guideKind,
  empty: emptyKind,
  'qr-code': qrCodeKind,
  policy: policyKind,
  table: tableKind,
  list: listKind,
  timeline: timelineKind,
  chart: chartKind,
  bell: bellKind,
  form: formKind,
  field: fieldKind,
  strength: strengthKind,
  'kept-choices': keptChoicesKind,
  'tick-all': tickAllKind,
  search: searchKind,
  filter: filterKind,
  day: dayKind,
  delivered: deliveredKind,
  combobox: comboboxKind,
  signature: signatureKind,
  'field-rows': fieldRowsKind,
  transfer: transferKind,
  match: matchKind,
  grid: gridKind,
  ticks: ticksKind,
  steps: stepsKind,
  button: buttonKind,
  link: linkKind,
  menu: menuKind,
  task: taskKind,
  choices: choicesKind,
} as const;

export type NodeType = keyof typeof nodeKinds;

const kinds: Readonly<Record<string, NodeKind>> = nodeKinds;

export const nodeSchemas: Readonly<Record<string, NodeKind['schema']>> = Object.fromEntries(
  Object.entries(kinds).map(([type, { schema }]) => [type, schema]),
);

const none: NodeRules = {};

/** Gives the rules of a node type that the server needs beyond its JSON Schema; empty for an unknown type. */
export const rulesOf = (type: string): NodeRules => (Object.hasOwn(kinds, type) && kinds[type]?.rules) || none;

const withRole = (role: NodeRules['role']): ReadonlySet<string> =>
  new Set(Object.keys(kinds).filter(type => rulesOf(type).role === role));

/** Nodes that only accompany others: a container left with nothing else is pruned. */
export const decoration = withRole('decoration');

/** Nodes that only choose what others show: a tab, card or screen left with nothing else is pruned. */
export const controls = withRole('control');

/** Nodes that only arrange others: they may hold controls alone, and count for what they hold. */
export const arrangements = withRole('arrangement');

/** A data source that joins rows names the key of its items. */
const joinWords = { head: 'joined', mark: '"by":"' };

const owners = Object.entries(kinds)
  .flatMap(([type, { rules = none }]) => [
    ...(rules.ownWords ?? []).map(head => ({ head, mark: `"type":"${type}"` })),
    ...Object.entries(rules.wordsOfKinds ?? {}).map(([kind, head]) => ({ head, mark: `"kind":"${kind}"` })),
  ])
  .concat(joinWords);

/**
 * By the first part of words of the runtime, what stands in the layouts where they are said: `"type":"table"`, or
 * `"kind":"file"` of a field. Words of other first parts are said anywhere.
 */
export const wordOwners: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  owners.map(({ head }) => [head, owners.filter(other => other.head === head).map(({ mark }) => mark)]),
);
