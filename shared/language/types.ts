import type { FromSchema } from 'json-schema-to-ts';
import type { FormatName } from '../rules/format.ts';
import type { documentSchemas, navigationEntry } from './documents.ts';
import type { effectSchemas } from './effects.ts';
import type { alertLooks } from './nodes/alert.ts';
import type { NodeType, nodeKinds } from './nodes.ts';
import type { Reply } from './reply.ts';

/** The types of a layout as a browser receives it: texts resolved, requirements gone. */

export type Scalar = string | number | boolean | null;

/** A resolved text. With several plural forms the browser picks by `values.count` (Intl.PluralRules). */
export type LayoutText = string | { readonly [category in Intl.LDMLPluralRule]?: string };

export type Binding =
  | string
  | number
  | boolean
  | { readonly value: Scalar }
  | { readonly path: string; readonly format: FormatName };
export type Bindings = { readonly [name: string]: Binding };

export type Condition = {
  readonly path?: string;
  readonly is?: Scalar;
  readonly in?: readonly Scalar[];
  readonly empty?: boolean;
  readonly atLeast?: number;
  readonly same?: string;
  readonly before?: string;
  readonly after?: string;
  readonly below?: string;
  readonly above?: string;
  readonly contains?: string;
  readonly not?: Condition;
  readonly all?: readonly Condition[];
  readonly any?: readonly Condition[];
};

/** What `not` excludes: nothing that a caller is given as a right. */
export type Excluded = {
  readonly features?: readonly string[];
  readonly userTypes?: readonly string[];
  readonly systems?: readonly string[];
  readonly switched?: boolean;
  readonly jumped?: boolean;
};
type RequirementOf<Part> = Excluded & {
  readonly views?: readonly string[];
  readonly permissions?: readonly string[];
  readonly prices?: true;
  readonly currencies?: readonly string[];
  readonly previousTypes?: readonly string[];
  readonly all?: readonly Part[];
  readonly any?: readonly Part[];
  readonly not?: Excluded;
};
/** A requirement with its names resolved, as it is judged. */
export interface Requirement extends RequirementOf<Requirement> {}
interface RequirementObject extends RequirementOf<WrittenRequirement> {}
/** A requirement as documents and commands write it: a name of access.json, or what it asks for. */
export type WrittenRequirement = string | RequirementObject;

/** Entries of a catalogue as they travel with the node that names it. */
export type CatalogueEntry = {
  readonly value: Scalar;
  readonly text: LayoutText;
  readonly hint?: LayoutText;
  readonly kind?: string;
  readonly moving?: boolean;
  readonly icon?: string;
};

/** An alert as it is drawn, whatever its type is called. */
type AlertLook = (typeof alertLooks)[keyof typeof alertLooks];

type Deserialize = [
  { pattern: { title: 'Text' }; output: LayoutText },
  { pattern: { title: 'Binding' }; output: Binding },
  { pattern: { title: 'Bindings' }; output: Bindings },
  { pattern: { title: 'Condition' }; output: Condition },
  { pattern: { title: 'Requires' }; output: Requirement },
  { pattern: { title: 'Reply' }; output: Reply },
  { pattern: { title: 'AlertType' }; output: AlertLook },
  { pattern: { title: 'Catalogue' }; output: readonly CatalogueEntry[] },
  { pattern: { title: 'Effects' }; output: readonly Effect[] },
  { pattern: { title: 'Node' }; output: Node },
  { pattern: { title: 'Nodes' }; output: readonly Node[] },
  { pattern: { title: 'OptionalNode' }; output: BellNode },
  { pattern: { title: 'Entry' }; output: NavigationEntry },
  { pattern: { title: 'Entries' }; output: readonly NavigationEntry[] },
];

type NodeOf<T extends NodeType> = FromSchema<(typeof nodeKinds)[T]['schema'], { deserialize: Deserialize }>;
type EffectOf<T extends EffectName> = FromSchema<(typeof effectSchemas)[T], { deserialize: Deserialize }>;

// Interfaces, because TypeScript resolves them lazily: the types are recursive.
export interface SectionNode extends NodeOf<'section'> {}
export interface CardNode extends NodeOf<'card'> {}
export interface ColumnsNode extends NodeOf<'columns'> {}
export interface StackNode extends NodeOf<'stack'> {}
export interface ToolbarNode extends NodeOf<'toolbar'> {}
export interface TabsNode extends NodeOf<'tabs'> {}
export interface RepeatNode extends NodeOf<'repeat'> {}
export interface HeadingNode extends NodeOf<'heading'> {}
export interface TextNode extends NodeOf<'text'> {}
export interface HtmlNode extends NodeOf<'html'> {}
export interface AlertNode extends NodeOf<'alert'> {}
export interface BadgeNode extends NodeOf<'badge'> {}
export interface StatusNode extends NodeOf<'status'> {}
export interface FactsNode extends NodeOf<'facts'> {}
export interface ProgressNode extends NodeOf<'progress'> {}
export interface GuideNode extends NodeOf<'guide'> {}
export interface StatNode extends NodeOf<'stat'> {}
export interface EmptyNode extends NodeOf<'empty'> {}
export interface QrCodeNode extends NodeOf<'qr-code'> {}
export interface PolicyNode extends NodeOf<'policy'> {}
export interface TableNode extends NodeOf<'table'> {}
export interface ListNode extends NodeOf<'list'> {}
export interface TimelineNode extends NodeOf<'timeline'> {}
export interface ChartNode extends NodeOf<'chart'> {}
export interface BellNode extends NodeOf<'bell'> {}
export interface FormNode extends NodeOf<'form'> {}
export interface FieldNode extends NodeOf<'field'> {
  /** True in the form that an operation takes, of a field with a pattern or an expression of which little can be said. */
  readonly ofOperation?: true;
}
export interface StrengthNode extends NodeOf<'strength'> {}
export interface KeptChoicesNode extends NodeOf<'kept-choices'> {}
export interface TickAllNode extends NodeOf<'tick-all'> {}
export interface SearchNode extends NodeOf<'search'> {}
export interface FilterNode extends NodeOf<'filter'> {}
export interface DayNode extends NodeOf<'day'> {}
export interface HostedPageNode extends NodeOf<'hosted-page'> {}
export interface LiveChatNode extends NodeOf<'live-chat'> {}
export interface DeliveredNode extends NodeOf<'delivered'> {}
export interface ComboboxNode extends NodeOf<'combobox'> {}
export interface SignatureNode extends NodeOf<'signature'> {}
export interface FieldRowsNode extends NodeOf<'field-rows'> {}
export interface TransferNode extends NodeOf<'transfer'> {}
export interface MatchNode extends NodeOf<'match'> {}
export interface GridNode extends NodeOf<'grid'> {}
export interface TicksNode extends NodeOf<'ticks'> {}
/** What a journey brings is there once the layout is. */
type Drawn<T, K extends keyof T> = T & { readonly [name in K]-?: Exclude<T[name], undefined> };
export interface StepsNode extends Drawn<NodeOf<'steps'>, 'label' | 'steps' | 'back' | 'on'> {}
export interface ButtonNode extends NodeOf<'button'> {}
export interface LinkNode extends NodeOf<'link'> {}
export interface MenuNode extends NodeOf<'menu'> {}
export interface TaskNode extends NodeOf<'task'> {}
export interface ChoicesNode extends NodeOf<'choices'> {}

/** Every node as it arrives in the browser, by its type. */
export interface NodeByType {
  section: SectionNode;
  card: CardNode;
  columns: ColumnsNode;
  stack: StackNode;
  toolbar: ToolbarNode;
  tabs: TabsNode;
  repeat: RepeatNode;
  heading: HeadingNode;
  text: TextNode;
  html: HtmlNode;
  alert: AlertNode;
  badge: BadgeNode;
  status: StatusNode;
  facts: FactsNode;
  stat: StatNode;
  progress: ProgressNode;
  guide: GuideNode;
  empty: EmptyNode;
  'qr-code': QrCodeNode;
  policy: PolicyNode;
  table: TableNode;
  list: ListNode;
  timeline: TimelineNode;
  chart: ChartNode;
  bell: BellNode;
  form: FormNode;
  field: FieldNode;
  strength: StrengthNode;
  'kept-choices': KeptChoicesNode;
  'tick-all': TickAllNode;
  search: SearchNode;
  filter: FilterNode;
  day: DayNode;
  delivered: DeliveredNode;
  'hosted-page': HostedPageNode;
  'live-chat': LiveChatNode;
  combobox: ComboboxNode;
  signature: SignatureNode;
  'field-rows': FieldRowsNode;
  transfer: TransferNode;
  match: MatchNode;
  grid: GridNode;
  ticks: TicksNode;
  steps: StepsNode;
  button: ButtonNode;
  link: LinkNode;
  menu: MenuNode;
  task: TaskNode;
  choices: ChoicesNode;
}
export type Node = NodeByType[NodeType];

export type EffectName = keyof typeof effectSchemas;
export interface NavigateEffect extends EffectOf<'navigate'> {}
export interface BackEffect extends EffectOf<'back'> {}
export interface OpenPopupEffect extends EffectOf<'open-popup'> {}
export interface ClosePopupEffect extends EffectOf<'close-popup'> {}
export interface CallEffect extends EffectOf<'call'> {}
export interface CommandEffect extends EffectOf<'command'> {}
export interface SetEffect extends EffectOf<'set'> {}
export interface ToastEffect extends EffectOf<'toast'> {}
export interface ConfirmEffect extends EffectOf<'confirm'> {}
export interface DownloadEffect extends EffectOf<'download'> {}
export interface CopyEffect extends EffectOf<'copy'> {}
export interface SaveEffect extends EffectOf<'save'> {}
export interface PublishEffect extends EffectOf<'publish'> {}
export interface SignOutEffect extends EffectOf<'sign-out'> {}
export type Effect =
  | NavigateEffect
  | BackEffect
  | OpenPopupEffect
  | ClosePopupEffect
  | CallEffect
  | CommandEffect
  | SetEffect
  | ToastEffect
  | ConfirmEffect
  | DownloadEffect
  | CopyEffect
  | SaveEffect
  | PublishEffect
  | SignOutEffect;

export interface NavigationEntry extends FromSchema<typeof navigationEntry, { deserialize: Deserialize }> {}

type DocumentOf<K extends keyof typeof documentSchemas> = FromSchema<
  (typeof documentSchemas)[K],
  { deserialize: Deserialize }
>;

/** What every layout carries: `kind` in place of `$schema`, and of one from a server the version of the language. */
type LayoutPart<K extends string> = {
  readonly kind: K;
  readonly language?: number;
  readonly data?: { readonly [name: string]: DataSource };
};

export type ScreenLayout = Omit<DocumentOf<'screen'>, '$schema' | 'requires' | 'data'> & LayoutPart<'screen'>;
export type PopupLayout = Omit<DocumentOf<'popup'>, '$schema' | 'requires' | 'data'> & LayoutPart<'popup'>;
export type NavigationLayout = Omit<DocumentOf<'navigation'>, '$schema' | 'requires' | 'data'> &
  LayoutPart<'navigation'>;
export type Layout = ScreenLayout | PopupLayout | NavigationLayout;

/** A data source in a layout; `needs` are the parameters without which the operation cannot be called. */
export type DataSource = NonNullable<DocumentOf<'screen'>['data']>[string] & {
  readonly needs?: readonly string[];
  /** What is sent for parameters whose bindings have no value yet: the first page size and the first order of its list. */
  readonly initial?: Readonly<Record<string, string | number>>;
  /** Of an essential source: what the document binds to parameters that only the server sets. */
  readonly bound?: Bindings;
};
type JourneyDocument = DocumentOf<'journey'>;
/** A journey as documents write it, its requirements resolved. */
export interface Journey extends JourneyDocument {}
export type JourneyStep = Journey['steps'][number];
/** A call on the way of a journey. */
export type JourneyCall = NonNullable<Journey['prepare']>[string];
export type Operation = DocumentOf<'operations'>['operations'] extends { [name: string]: infer O } ? O : never;
