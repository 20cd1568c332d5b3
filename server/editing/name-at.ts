import type { LongDocument } from '../layouts/names/source.ts';
import { type Declaration, declarationsOf, declaredAt, type Named } from './declarations.ts';
import { findUses, operationFieldOfPath, type Use } from './find-uses.ts';
import type { EditedFolder } from './folder.ts';
import { type Reference, referencesIn } from './references.ts';
import type { Span, Token } from './tokens.ts';
import { writtenPlace } from './written-place.ts';

const isSame = (one: Reference['at'], other: Reference['at']): boolean =>
  one.length === other.length && one.every((step, index) => step === other[index]);

/** Lists what a word of a document names: of a path that stands for several, all. */
export const referencesAt = (document: LongDocument, { at, isName }: Token): Reference[] =>
  referencesIn(document).filter(reference => {
    const place = writtenPlace(document, reference);
    return place !== undefined && (place.isName === true) === isName && isSame(place.at, at);
  });

/** A name at a place of a text: what it names, and where the word stands. */
export type NameAt = Named & { readonly span: Span };

/** The kinds of references that are paths. */
const pathKinds: ReadonlySet<string> = new Set(['path', 'key', 'order']);

/** The part of a word up to the end of the name at an offset, and of a path what it reads up to there. */
function cutAt(token: Token, reference: Reference, offset: number): Reference & { readonly span: Span } {
  const inside = Math.max(0, offset - token.start);
  const dot = token.text.indexOf('.', inside);
  const end = dot < 0 ? token.text.length : dot;
  const left = token.text.slice(end).split('.').length - 1;
  const names = reference.text.split('.');
  const start = token.text.lastIndexOf('.', end - 1) + 1;
  return {
    ...{ ...reference, text: names.slice(0, names.length - left).join('.') },
    span: { start: token.start + start, end: token.start + end },
  };
}

/**
 * Finds what is named at an offset of a document: what the word declares, or what it refers to. Of a path it is the field
 * or data source that the name at the offset reads. Undefined where nothing is named.
 */
export function nameAt(document: LongDocument, token: Token, offset: number): NameAt | undefined {
  const written = { ...document, json: document.written?.json ?? document.json };
  const declared = declaredAt(written, token.at, token.isName);
  if (declared) return { ...declared, span: token };
  for (const reference of referencesAt(document, token)) {
    const { what, text } = reference;
    if (!pathKinds.has(what))
      return { what, name: what === 'catalogue' ? text.replace(/^code:|\?$/g, '') : text, span: token };
    const cut = cutAt(token, reference, offset);
    const field = operationFieldOfPath(document, cut);
    if (field !== undefined) return { what: 'field', name: field, span: cut.span };
    const [root, name] = cut.text.split('.');
    if (root === 'data' && name !== undefined) return { what: 'source', name, span: cut.span };
  }
  return undefined;
}

/** Finds where a name of a document is declared; a data source in the document itself, an address by its screen. */
export function findDeclarations(folder: EditedFolder, document: LongDocument, named: Named): Declaration[] {
  const { what, name } = named;
  if (what === 'address') {
    const file = folder.names.screenFiles.get(name.split('?')[0] ?? '');
    return file === undefined ? [] : [{ file, at: ['route'] }];
  }
  if (what !== 'source') return declarationsOf(named, folder.sources);
  const list = document.json.data === undefined ? 'prepare' : 'data';
  return [{ file: document.file, at: [list, name] }];
}

/** Lists the places of all documents that name the same; of a data source those of its own document. */
export function findReferences(folder: EditedFolder, document: LongDocument, { what, name }: Named): Use[] {
  if (what !== 'source') return findUses(folder.documents).filter(use => use.what === what && use.name === name);
  return referencesIn(document).flatMap(reference =>
    reference.what === 'path' && `${reference.text}.`.startsWith(`data.${name}.`)
      ? [{ source: document, reference, what, name }]
      : [],
  );
}
