import { commandDeclarations } from '../../../server/commands/index.ts';
import { expandDocuments } from '../../../server/layouts/expand/expand.ts';
import type { LongDocument, Pointer, Source } from '../../../server/layouts/names/source.ts';
import { portalCalls } from '../../../shared/language/operation.ts';
import { valueAt } from '../mistakes/mutation.ts';
import { type Reference, referencesIn } from '../references.ts';

/** A place that reads a name. */
export type Use = {
  readonly source: LongDocument;
  readonly reference: Reference;
  /** The thing that is named there: its kind (`text`, `operation`, `field`) and its whole name. */
  readonly what: string;
  readonly name: string;
};

/** The list that the names at a place are fields of: that of the nearest object around it which has rows. */
function rowsAround({ json }: LongDocument, at: Pointer): string | undefined {
  for (let length = at.length - 1; length >= 0; length--) {
    const { rows } = (valueAt(json, at.slice(0, length)) ?? {}) as { readonly rows?: unknown };
    // What says where the list is stands outside of it.
    if (typeof rows === 'string' && at[length] !== 'rows') return rows;
  }
  return undefined;
}

/** The operation and field that a path reads, as `customers.list.Items.Name`; undefined for any other path. */
export function fieldAt(
  source: LongDocument,
  { at, text, what }: Pick<Reference, 'at' | 'text' | 'what'>,
): string | undefined {
  const path = what === 'key' || what === 'order' ? `row.${text.replace(/^-/, '')}` : text;
  const whole = path === 'row' || path.startsWith('row.') ? rowsAround(source, at) : undefined;
  const [root, name = '', , ...names] = whole === undefined ? path.split('.') : `${whole}${path.slice(3)}`.split('.');
  if (root !== 'data') return undefined;
  const data = (source.json.data ?? source.json.prepare ?? {}) as Readonly<
    Record<string, { readonly operation?: string }>
  >;
  const operation = data[name]?.operation;
  return operation === undefined || names.length === 0 ? undefined : [operation, ...names].join('.');
}

/** Lists every place of documents that names something, with what it names; of paths the fields that they read. */
export function findUses(sources: readonly Source[]): Use[] {
  return expandDocuments(sources, commandDeclarations).flatMap(source =>
    referencesIn(source).map(reference => {
      const isPath = ['path', 'key', 'order'].includes(reference.what);
      const field = isPath ? fieldAt(source, reference) : undefined;
      if (field !== undefined) return { source, reference, what: 'field', name: field };
      const name =
        reference.what === 'catalogue' ? reference.text.replace(/^code:/, '').replace(/\?$/, '') : reference.text;
      return { source, reference, what: reference.what, name };
    }),
  );
}

/** Lists the commands of the server that ask an operation: documents cannot change them. */
export function usesInCode(operation: string): string[] {
  return [
    ...commandDeclarations.flatMap(({ name, asks = [] }) =>
      asks.includes(operation) ? [`the command "${name}"`] : [],
    ),
    ...Object.entries(portalCalls).flatMap(([call, asks]) =>
      (asks as readonly string[]).includes(operation) ? [`the portal's own "${call}"`] : [],
    ),
  ];
}
