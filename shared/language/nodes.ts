import * as act from './action-nodes.ts';
import * as data from './data-nodes.ts';
import * as frame from './frame-nodes.ts';
import { grid } from './grid-node.ts';
import * as input from './input-nodes.ts';
import { match } from './match-node.ts';
import * as words from './text-nodes.ts';
import * as wizard from './wizard-nodes.ts';

/** Every node type of the language, by its exact name. Adding one here is all that the server needs. */
export const nodeSchemas = {
  section: frame.section,
  card: frame.card,
  columns: frame.columns,
  stack: frame.stack,
  toolbar: frame.toolbar,
  tabs: frame.tabs,
  repeat: frame.repeat,
  heading: words.heading,
  text: words.textNode,
  html: words.html,
  alert: words.alert,
  badge: words.badge,
  status: words.status,
  facts: words.facts,
  empty: words.empty,
  'qr-code': words.qrCode,
  policy: words.policy,
  table: data.table,
  list: data.list,
  chart: data.chart,
  bell: data.bell,
  form: input.form,
  field: input.field,
  strength: input.strength,
  'tick-all': input.tickAll,
  search: input.search,
  filter: input.filter,
  day: input.day,
  delivered: input.delivered,
  combobox: input.combobox,
  signature: input.signature,
  rows: wizard.rows,
  transfer: wizard.transfer,
  match,
  grid,
  ticks: wizard.ticks,
  steps: wizard.steps,
  button: act.button,
  link: act.linkNode,
  menu: act.menu,
  task: act.task,
  choices: act.choices,
} as const;

export type NodeType = keyof typeof nodeSchemas;

/** Nodes that only accompany others: a container left with nothing else is pruned. */
export const decoration: ReadonlySet<string> = new Set(['heading']);

/** Nodes that only choose what others show: a tab, card or screen left with nothing else is pruned. */
export const controls: ReadonlySet<string> = new Set(['search', 'filter', 'day']);

/** Nodes that only arrange others: they may hold controls alone, and count for what they hold. */
export const arrangements: ReadonlySet<string> = new Set(['toolbar', 'stack', 'columns']);
