import type { Generated } from 'kysely';

export const eventKinds = ['Degraded', 'Outage', 'Maintenance'] as const;
export type EventKind = (typeof eventKinds)[number];

declare module '../tables.ts' {
  interface Tables {
    network_components: { id: string; name: string; position: number; services: number[] };
    network_events: {
      id: Generated<number>;
      component_id: string;
      kind: EventKind;
      title: string;
      content: Generated<string>;
      starts: Date;
      ends: Date | null;
      updated: Date;
      is_over: Generated<boolean>;
    };
    network_subscribers: { account_id: number; since: Date; stopped: Date | null };
  }
}
