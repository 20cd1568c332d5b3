import type { Requirement } from '../../../shared/language/types.ts';
import { asksForRights } from '../../access/missing-rights.ts';
import { type CompileContext, into, report } from '../names/compile-context.ts';
import type { Emit } from '../names/pass.ts';
import { nodeRules, type Schema } from '../names/schema.ts';

/** The popup in which somebody asks for what they lack. */
const popupToAsk = 'ask-for-access';

/**
 * Compiles what stands in place of a part that is marked as requestable, for callers who could be given what it requires:
 * of a node a button with its title alone, of a screen nothing. Undefined for a part that is not marked.
 */
export function compilePlaceholder(
  schema: Schema,
  value: Readonly<Record<string, unknown>>,
  outer: CompileContext,
): Emit | undefined {
  const { requestable } = value;
  if (typeof requestable !== 'string' || !schema.properties?.requestable) return undefined;
  const place = into(outer, 'requestable');
  const requires = value.requires as Requirement | undefined;
  // An unknown name of a requirement is told where it stands.
  if (typeof requires !== 'string' && (requires === undefined || !asksForRights(requires)))
    report(place, 'Nobody can ask for this: "requestable" needs "requires" with views, permissions or prices.');
  const isNode = schema.properties.type !== undefined;
  if (isNode && (nodeRules(schema).form === 'field' || typeof outer.at.at(-1) !== 'number'))
    report(place, 'Only a node in a list of nodes that is no field can be "requestable".');
  if (!isNode) {
    place.compile({ title: 'Text' }, requestable, place);
    return () => undefined;
  }
  const press = [{ do: 'open-popup', popup: popupToAsk, with: { mark: { value: requestable } } }];
  const button = { type: 'button', text: requestable, icon: 'lock', testId: 'ask', on: { press } };
  const emit = place.compile({ title: 'Node' }, button, { ...place, values: undefined });
  return trim => {
    if (requires === undefined || !trim.caller.mayAsk(requires)) return undefined;
    const start = trim.mark();
    const emitted = emit(trim);
    if (emitted === undefined) return trim.rollBackTo(start);
    trim.uses.push({ kind: 'ask', mark: requestable, requires });
    return emitted;
  };
}
