import { Badge } from './badge.tsx';
import { Cards } from './cards.tsx';
import { Chart } from './chart/chart.tsx';
import { Choices } from './choices.tsx';
import { ColourControl } from './colour/colour-control.tsx';
import { Columns } from './columns.tsx';
import { Combobox } from './combobox.tsx';
import { DateControl } from './date-time/date-control.tsx';
import { Day } from './day.tsx';
import { Delivered } from './delivered/delivered.tsx';
import { FieldRows } from './field-rows.tsx';
import { FileControl } from './file/file-control.tsx';
import { Grid } from './grid/grid.tsx';
import { Guide } from './guide.tsx';
import { HostedPage } from './hosted-page.tsx';
import { Html } from './html.tsx';
import { KeptChoices } from './kept-choices.tsx';
import { List } from './list.tsx';
import { LiveChat } from './live-chat.tsx';
import { Match } from './match/match.tsx';
import { Policy } from './policy.tsx';
import { Progress } from './progress.tsx';
import { QrCode } from './qr-code.tsx';
import { Repeat } from './repeat.tsx';
import { Section } from './section.tsx';
import { Signature } from './signature.tsx';
import { Stat } from './stat.tsx';
import { Steps } from './steps/steps.tsx';
import { Strength } from './strength.tsx';
import { Task } from './task.tsx';
import { TickAll } from './tick-all.tsx';
import { Ticks } from './ticks.tsx';
import { Timeline } from './timeline.tsx';
import { Transfer } from './transfer/transfer.tsx';
import { Unknown } from './unknown.tsx';

/** Nodes, and controls of fields by their kind, that few pages have. */
const rare = {
  repeat: Repeat,
  badge: Badge,
  cards: Cards,
  chart: Chart,
  choices: Choices,
  colour: ColourControl,
  columns: Columns,
  combobox: Combobox,
  date: DateControl,
  'date-time': DateControl,
  day: Day,
  delivered: Delivered,
  file: FileControl,
  grid: Grid,
  guide: Guide,
  'hosted-page': HostedPage,
  html: Html,
  list: List,
  'live-chat': LiveChat,
  match: Match,
  policy: Policy,
  progress: Progress,
  'qr-code': QrCode,
  section: Section,
  'field-rows': FieldRows,
  signature: Signature,
  stat: Stat,
  steps: Steps,
  strength: Strength,
  task: Task,
  timeline: Timeline,
  transfer: Transfer,
  'kept-choices': KeptChoices,
  'tick-all': TickAll,
  ticks: Ticks,
};

/**
 * Gives the component of a seldom used node type, from the bundle that is loaded on demand; for a type that this build
 * does not know, the component that offers to reload with a newer build.
 */
export const rareNode = (type: string): unknown =>
  Object.hasOwn(rare, type) ? rare[type as keyof typeof rare] : Unknown;
