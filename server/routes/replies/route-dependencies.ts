import type { LayoutMemory } from '../../calls/press.ts';
import type { ExportJobs } from '../../exports/export-jobs.ts';
import type { Layouts } from '../../layouts/index.ts';
import type { Caller } from '../../operations/caller.ts';
import type { Services } from '../../operations/services.ts';
import type { VisitorBrands } from '../../session/visitor-brands.ts';
import type { Store } from '../../store/store.ts';
import type { Drain } from '../bounds/drain.ts';
import type { Metrics } from '../records/metrics.ts';
import type { BootText } from './boot-text.ts';
import type { ClientFiles } from './client-files.ts';
import type { OrganisationCookie } from './organisation-cookie.ts';
import type { Answers } from './raw-reply.ts';

/** Dependencies of the routes; created once by the composition root. */
export type RouteParts = {
  readonly services: Services;
  readonly layouts: Layouts;
  readonly memory: LayoutMemory;
  readonly store: Store;
  readonly exportJobs: ExportJobs;
  readonly drain: Drain;
  readonly client: ClientFiles | undefined;
  /** Folder of the reference of the layout language, in development. */
  readonly docs: string | undefined;
  /** Milliseconds that a screen waits for its first data; what is slower the browser reads itself. */
  readonly patience: number;
  readonly answers: Answers;
  readonly metrics: Metrics;
  readonly visitorBrands: VisitorBrands;
  readonly organisation: OrganisationCookie;
  /** Whether an account may have one more socket on this process. */
  readonly hasSocketRoom: (account: string) => boolean;
  /** What a reader of the figures must know; absent where they are not served here. */
  readonly metricsToken: string | undefined;
  readonly bootText: (caller: Caller) => BootText;
};
