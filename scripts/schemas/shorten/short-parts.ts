import type { Schema } from '../../../server/layouts/check/shape.ts';
import { schemaOf } from '../../../server/layouts/check/shape.ts';
import { givenLists } from '../../../server/layouts/expand/expand-value.ts';
import type { FolderFacts } from '../../../server/layouts/expand/folder-facts.ts';

type Json = Record<string, unknown>;

/** Where a value stands: assigning there replaces it. */
export type Holder = { readonly parent: Json; readonly key: string };

/** An object that may be written short, with the list that it is an entry of. */
export type Part = { readonly object: Json; readonly schema: Schema; readonly holder: Holder };

/** A node or effect in its long form, with the parts in it whose defaults hold where it is short. */
export type Unit = Part & { readonly word: 'type' | 'do'; readonly parts: Part[] };

/** What of a long document may be written short. Each is changed in place, so that what is around stays true. */
export type ShortParts = {
  readonly units: Unit[];
  /** Parts that stand in no node. */
  readonly loose: Part[];
  readonly conditions: Holder[];
  readonly bindings: Holder[];
  readonly templates: Holder[];
  readonly effects: Holder[];
  /** Objects with `on`. */
  readonly pressed: Json[];
};

const isObject = (value: unknown): value is Json =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/**
 * Finds the objects, conditions, bindings, templates and effects of a document that may have a short form; inner ones
 * come before what is around them.
 */
export function findShortParts(document: Json, schema: Schema, { parts }: Pick<FolderFacts, 'parts'>): ShortParts {
  const found: ShortParts = {
    units: [],
    loose: [],
    conditions: [],
    bindings: [],
    templates: [],
    effects: [],
    pressed: [],
  };
  const visit = (given: Schema, holder: Holder, around: Unit | undefined): void => {
    const value = holder.parent[holder.key];
    if (given.title === 'Requires' || given.title === 'Reply') return;
    if (given.title === 'Condition') return void found.conditions.push(holder);
    if (given.title === 'Bindings') return void found.bindings.push(holder);
    if (given.title === 'Template') return void found.templates.push(holder);
    if (Array.isArray(value)) {
      for (const index of value.keys())
        if (given.items) visit(given.items, { parent: value as unknown as Json, key: String(index) }, around);
      if (given.title === 'Effects') found.effects.push(holder);
      return;
    }
    if (!isObject(value)) return;
    if (given.title === 'Node' && typeof value.part === 'string' && isObject(value.with))
      for (const name of Object.keys(value.with)) {
        const list = givenLists[String(parts.get(value.part)?.[name]).replace('?', '')];
        if (list && Array.isArray(value.with[name])) visit(list, { parent: value.with, key: name }, around);
      }
    const own = schemaOf(given, value);
    const word = given.title === 'Node' ? 'type' : given.title === 'Effect' ? 'do' : undefined;
    const unit: Unit | undefined = word ? { object: value, schema: own, holder, word, parts: [] } : undefined;
    for (const [name, property] of Object.entries(value)) {
      const inner =
        own.properties?.[name] ?? (typeof own.additionalProperties === 'object' ? own.additionalProperties : undefined);
      if (inner && property !== undefined) visit(inner, { parent: value, key: name }, unit ?? around);
    }
    if (isObject(value.on)) found.pressed.push(value);
    if (unit) found.units.push(unit);
    else if (own.short) (around?.parts ?? found.loose).push({ object: value, schema: own, holder });
  };
  visit(schema, { parent: { document }, key: 'document' }, undefined);
  return found;
}
