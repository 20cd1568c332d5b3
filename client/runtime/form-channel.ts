/** What a component listens to: `version` grows with every change of what is shown. */
export type Channel = { subscribe(listener: () => void): () => void; version(): number };

/** The channel of one name. */
export type Spot = Channel & { tell(): void };

export function createSpot(): Spot {
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

/** Speaks when one of them does. */
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
