import { Chart } from './chart/chart.tsx';
import { Choices } from './choices.tsx';
import { Combobox } from './combobox.tsx';
import { Day } from './day.tsx';
import { Delivered } from './delivered/delivered.tsx';
import { FieldRows } from './field-rows.tsx';
import { Grid } from './grid/grid.tsx';
import { Html } from './html.tsx';
import { Match } from './match/match.tsx';
import { Policy } from './policy.tsx';
import { QrCode } from './qr-code.tsx';
import { Section } from './section.tsx';
import { Signature } from './signature.tsx';
import { Steps } from './steps/steps.tsx';
import { Strength } from './strength.tsx';
import { Task } from './task.tsx';
import { TickAll } from './tick-all.tsx';
import { Ticks } from './ticks.tsx';
import { Transfer } from './transfer/transfer.tsx';
import { Unknown } from './unknown.tsx';

/** Nodes that few pages have. */
const rare = {
  chart: Chart,
  choices: Choices,
  combobox: Combobox,
  day: Day,
  delivered: Delivered,
  grid: Grid,
  html: Html,
  match: Match,
  policy: Policy,
  'qr-code': QrCode,
  section: Section,
  'field-rows': FieldRows,
  signature: Signature,
  steps: Steps,
  strength: Strength,
  task: Task,
  transfer: Transfer,
  'tick-all': TickAll,
  ticks: Ticks,
};

/** What draws one of them; for a type that this build does not know, what offers a newer build. */
export const rareNode = (type: string): unknown =>
  Object.hasOwn(rare, type) ? rare[type as keyof typeof rare] : Unknown;
