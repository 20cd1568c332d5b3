import type { Envelope } from '../../shared/contract/envelope.ts';
import { useDocument } from './document-scope.tsx';
import { usePortalObject } from './portal.ts';
import { useStore } from './store.ts';

/** A data source as a node sees it. */
export type SourceView = {
  readonly envelope: Envelope | undefined;
  /** True while what is shown is not yet the answer to what is asked. */
  readonly loading: boolean;
  /** What went wrong, in words; what was read before stays. */
  readonly failed: string | undefined;
  retry(): void;
};

/** The name of the source that a path reads, if it reads one. */
export function sourceOf(path: string | undefined): string | undefined {
  return path?.startsWith('data.') ? path.split('.')[1] : undefined;
}

/** How a data source of the current document is doing, by its name. */
export function useSource(name: string | undefined): SourceView {
  const document = useDocument();
  const envelope = useStore(document.data, data => (name === undefined ? undefined : data[name]));
  const status = useStore(document.status, all => (name === undefined ? undefined : all[name]));
  const { Sources } = usePortalObject();
  // What reads the sources may itself be on its way.
  const isAwaited = Sources && !envelope && name !== undefined && document.layout.get().layout.data?.[name];
  return {
    envelope,
    loading: status?.loading ?? Boolean(isAwaited),
    failed: status?.failed,
    retry: () => document.reads.get(name ?? '')?.(),
  };
}
