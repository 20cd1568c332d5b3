import type { Channel } from '../state/form-types.ts';

/** The channel of one field name. `tell` notifies. */
export type FieldChannel = Channel & { tell(): void };

/** Creates a channel (a list of listeners, to notify of a form's changes) without listeners. */
export function createFieldChannel(): FieldChannel {
  const listeners = new Set<() => void>();
  let version = 0;
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    version: () => version,
    tell() {
      version += 1;
      for (const listener of listeners) listener();
    },
  };
}

/** Joins channels of a form into one that notifies when any of them does. */
export function joinChannels(channels: readonly Channel[]): Channel {
  return {
    subscribe(listener) {
      const ends = channels.map(channel => channel.subscribe(listener));
      return () => {
        for (const end of ends) end();
      };
    },
    version: () => channels.reduce((sum, channel) => sum + channel.version(), 0),
  };
}
