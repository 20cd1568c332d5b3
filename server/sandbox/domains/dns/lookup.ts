import { Resolver } from 'node:dns/promises';

/** The answer to a question to DNS: values, none of that type, no such name, or why there is no answer. */
export type Looked<V> =
  | { readonly kind: 'found'; readonly values: readonly V[] }
  | { readonly kind: 'none' | 'no-name' | 'failed' | 'silent' | 'loop' };

export type Exchange = { readonly exchange: string; readonly priority: number };
export type Lookup = {
  mx(name: string): Promise<Looked<Exchange>>;
  /** Each record with its strings joined. */
  txt(name: string): Promise<Looked<string>>;
  /** The names that a name stands for, one after another; those before it stopped where it goes round. */
  aliases(name: string): Promise<Looked<string>>;
};

const kinds: Readonly<Record<string, Exclude<Looked<never>['kind'], 'found'>>> = {
  ENODATA: 'none',
  ENOTFOUND: 'no-name',
  ETIMEOUT: 'silent',
  ECONNREFUSED: 'silent',
  ECANCELLED: 'silent',
};
const longestChain = 8;

/** Milliseconds that an answer may take, how often it is asked for, and how long all questions of a check may take. */
export type LookupBounds = { readonly timeout: number; readonly tries: number; readonly all: number };
export const lookupBounds: LookupBounds = { timeout: 800, tries: 2, all: 6000 };

/**
 * Runs questions to the DNS resolver at an address ("192.0.2.53" or "192.0.2.53:5353"); those without an answer in time
 * are given up. Answers that are cut off by UDP are asked for again by TCP.
 */
export async function withLookup<T>(
  address: string,
  bounds: LookupBounds,
  run: (lookup: Lookup) => Promise<T>,
): Promise<T> {
  const resolver = new Resolver({ timeout: bounds.timeout, tries: bounds.tries });
  resolver.setServers([address]);
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    resolver.cancel();
  }, bounds.all);

  async function ask<V>(question: () => Promise<readonly V[]>): Promise<Looked<V>> {
    if (isOver) return { kind: 'silent' };
    try {
      return { kind: 'found', values: await question() };
    } catch (error) {
      return { kind: kinds[(error as NodeJS.ErrnoException).code ?? ''] ?? 'failed' };
    }
  }
  async function aliases(name: string): Promise<Looked<string>> {
    const values: string[] = [];
    const seen = new Set([name]);
    for (let at = name; ; ) {
      const found = await ask(() => resolver.resolveCname(at));
      const [next] = found.kind === 'found' ? found.values : [];
      // The end of a chain has no alias, and need not exist.
      if (next === undefined) return values.length > 0 ? { kind: 'found', values } : (found as Looked<string>);
      const target = next.toLowerCase();
      if (seen.has(target) || values.length === longestChain) return { kind: 'loop' };
      seen.add(target);
      values.push(target);
      at = target;
    }
  }
  /** A resolver only says that it failed where names go round. */
  async function orLoop<V>(name: string, looked: Looked<V>): Promise<Looked<V>> {
    return looked.kind === 'failed' && (await aliases(name)).kind === 'loop' ? { kind: 'loop' } : looked;
  }
  try {
    return await run({
      aliases,
      mx: async name => orLoop(name, await ask(() => resolver.resolveMx(name))),
      txt: async name =>
        orLoop(name, await ask(async () => (await resolver.resolveTxt(name)).map(strings => strings.join('')))),
    });
  } finally {
    clearTimeout(timer);
  }
}
