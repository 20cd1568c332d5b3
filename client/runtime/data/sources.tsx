import { type ReactNode, useEffect, useLayoutEffect, useState } from 'react';
import useSWR, { mutate } from 'swr';
import type { Envelope } from '../../../shared/contract/envelope.ts';
import type { DataSource } from '../../../shared/language/types.ts';
import { readPath } from '../../../shared/rules/path.ts';
import type { OpenDocument } from '../state/document.ts';
import type { Failure } from '../state/failure.ts';
import { listen, type SourcesProps, usePortalObject } from '../state/portal.ts';
import type { Scope } from '../state/scope.ts';
import { forgetPrefetched, readPrefetched, sourceAddress, takePrefetched } from './prefetched-replies.ts';

type SourceProps = {
  readonly document: OpenDocument;
  readonly name: string;
  readonly source: DataSource;
  readonly scope: Scope;
};

/** The address that each reply answers: while a new one loads, the reply is still that of another. */
const answered = new WeakMap<Envelope, string>();
/** Milliseconds for which what was asked before is shown, busy, in place of what is asked now. */
const longest = 2000;

/** True once an address has been asked for so long that what is shown in its place must go. */
function useOverdue(address: string | undefined): boolean {
  const [overdue, setOverdue] = useState<string>();
  useEffect(() => {
    if (address === undefined) return;
    const timer = setTimeout(() => setOverdue(address), longest);
    return () => clearTimeout(timer);
  }, [address]);
  return address !== undefined && overdue === address;
}

/** Milliseconds between two readings at least, whatever the cloud says. */
const shortest = 1000;

/** The milliseconds that stand at a path; 0, which is never, without a number. */
function intervalAt(path: string | undefined, scope: Scope): number {
  const interval = path === undefined ? 0 : Number(readPath(scope, path)) || 0;
  return interval > 0 ? Math.max(interval, shortest) : 0;
}

/** Keeps one data source read and puts what it gives into its document. */
function SourceReader({ document, name, source, scope }: SourceProps): ReactNode {
  const portal = usePortalObject();
  const address = sourceAddress(source, scope);
  const arrived = readPrefetched(address);
  if (arrived && address) answered.set(arrived, address);
  const read = async (asked: string) => {
    const reply = takePrefetched(asked) ?? (await portal.host.read(asked));
    answered.set(reply, asked);
    return reply;
  };
  const {
    data,
    error,
    isLoading,
    mutate: readAgain,
  } = useSWR<Envelope, Failure>(address ?? null, read, {
    ...(arrived && { fallbackData: arrived }),
    keepPreviousData: true,
    revalidateOnFocus: false,
    // Only what is on its way is shared: whoever comes back to a list wants to see it as it is now.
    dedupingInterval: 0,
    // After a refusal nothing is read again by itself: see shouldRetryOnError.
    refreshInterval: source.every ?? intervalAt(source.everyPath, scope),
    shouldRetryOnError: failure => failure.status === 0 || failure.status >= 500,
  });
  // Rows of the choice before stand for a moment only, and never where those of the new one could not be read.
  const isOther = data !== undefined && answered.get(data) !== address;
  const isOverdue = useOverdue(isOther ? address : undefined);
  // What has been deleted meanwhile must not be shown as if it were there.
  const isGone = !address || error?.status === 404 || (isOther && (isOverdue || error !== undefined));
  const envelope = isGone ? undefined : data;
  const failed = error?.message;
  const reference = error?.reference;

  useLayoutEffect(() => {
    const all = document.data.get();
    if (envelope) {
      if (all[name] !== envelope) document.data.set({ ...all, [name]: envelope });
    } else if (isGone && name in all) {
      const { [name]: _, ...others } = all;
      document.data.set(others);
    }
  }, [document, name, envelope, isGone]);

  useLayoutEffect(() => {
    document.status.set({ ...document.status.get(), [name]: { loading: isLoading, failed, reference } });
  }, [document, name, isLoading, failed, reference]);

  const isScreenGone = source.essential === true && error?.status === 404;
  useEffect(() => {
    if (isScreenGone) void portal.host.navigate('/not-found', { replace: true });
  }, [portal, isScreenGone]);

  useEffect(() => {
    // While it is being read it is asked for once more at most, however often it changes meanwhile.
    let asked = 0;
    const waiting: (() => void)[] = [];
    const again = (done?: () => void): void => {
      if (done) waiting.push(done);
      asked = Math.min(asked + 1, 2);
      if (asked === 2) return;
      forgetPrefetched(address);
      const goOn = (): void => {
        const isStale = asked === 2;
        asked = 0;
        if (isStale) again();
        else for (const tell of waiting.splice(0)) tell();
      };
      readAgain().then(goOn, goOn);
    };
    document.reads.set(name, again);
    const ends = source.refreshOn?.map(event => listen(portal, event, again)) ?? [];
    return () => {
      for (const end of ends) end();
      asked = 1;
      for (const tell of waiting.splice(0)) tell();
      document.reads.delete(name);
    };
  }, [portal, document, name, source, address, readAgain]);
  return null;
}

/**
 * Reads the data sources of a document and keeps them fresh (SWR): sources with the same address share a reply, and the
 * old reply stays while a new one loads. Draws nothing.
 */
export function Sources({ document, sources, scope }: SourcesProps): ReactNode {
  return Object.entries(sources).map(([name, source]) => (
    <SourceReader key={name} document={document} name={name} source={source} scope={scope} />
  ));
}

/** Reads again the data sources on the page that use these operations; drops the cached replies of the others. */
export function refreshOperations(operations: readonly string[]): void {
  const isStale = (address: unknown) =>
    typeof address === 'string' &&
    operations.some(name => address === `/ui/data/${name}` || address.startsWith(`/ui/data/${name}?`));
  // Without its data a key that is shown keeps the old reply and is busy; one that is not shown starts empty.
  void mutate(isStale, undefined, { revalidate: true });
}
