import type { Envelope } from '../../../shared/contract/envelope.ts';
import { useDocument } from '../state/document-scope.tsx';
import { usePortalObject } from '../state/portal.ts';
import { useStore } from '../state/store.ts';

/** The last reply and the state of a data source. */
export type SourceView = {
  readonly envelope: Envelope | undefined;
  /** True while the reply to the current request has not come; `envelope` may be the one before. */
  readonly loading: boolean;
  /** Message of the last read, if it failed; `envelope` stays. */
  readonly failed: string | undefined;
  /** Reference number of a fault about which the user can do nothing. */
  readonly reference?: string | undefined;
  retry(): void;
};

/** Gives the name of the data source that a path (`data.customers.…`) reads; undefined for any other path. */
export function sourceOf(path: string | undefined): string | undefined {
  return path?.startsWith('data.') ? path.split('.')[1] : undefined;
}

/**
 * Gives the last reply and the state of a data source of the current document, and follows them. Without a name: no
 * reply, not loading.
 */
export function useSource(name: string | undefined): SourceView {
  const document = useDocument();
  const envelope = useStore(document.data, data => (name === undefined ? undefined : data[name]));
  const status = useStore(document.status, all => (name === undefined ? undefined : all[name]));
  const { Sources } = usePortalObject();
  // The component that reads the sources may still be loading.
  const isAwaited = Sources && !envelope && name !== undefined && document.layout.get().layout.data?.[name];
  return {
    envelope,
    loading: status?.loading ?? Boolean(isAwaited),
    failed: status?.failed,
    reference: status?.reference,
    retry: () => document.reads.get(name ?? '')?.(),
  };
}
