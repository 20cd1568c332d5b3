import { checkCall, checkCommand, checkPopup } from '../check/call.ts';
import { bodyForm, type CompileContext } from '../names/compile-context.ts';
import type { Emit, Use } from '../names/pass.ts';
import { type Schema, schemaOf } from '../names/schema.ts';
import { type PathTarget, replyOfCommand, replyOfOperation } from '../names/scope.ts';

/**
 * Compiles a list of effects. All are needed: when the caller may not have one, the list and its node go. Effects after
 * a call or command may read its `reply`.
 */
export function compileEffects(list: readonly unknown[], place: CompileContext): Emit {
  let { scope } = place;
  const effects = list.map((effect, index) => {
    const value = effect as Record<string, unknown>;
    const emit = compileEffect(value, { ...place, scope, at: [...place.at, index] });
    const reply = replyOf(value, place);
    if (reply) scope = { ...scope, reply };
    return emit;
  });
  return trim => {
    const out: unknown[] = [];
    for (const emit of effects) {
      const emitted = emit(trim);
      if (emitted === undefined) return undefined;
      out.push(emitted);
    }
    return out.length === 0 ? undefined : out;
  };
}

function replyOf(value: Record<string, unknown>, { names }: CompileContext): PathTarget | undefined {
  if (value.do === 'call') return replyOfOperation(String(value.operation), names);
  if (value.do === 'command') return replyOfCommand(String(value.command), names);
  return undefined;
}

function compileEffect(value: Record<string, unknown>, place: CompileContext): Emit {
  const schema = schemaOf({ title: 'Effect' } as Schema, value);
  const emit = place.compile(schema, value, place);
  const use = usageOf(value, place);
  const form = bodyForm(value, place);
  const opened = openedBy(value, place);
  return trim => {
    const out = emit(trim) as Record<string, unknown> | undefined;
    if (!out) return undefined;
    if (use?.kind === 'command' && !trim.mayCommand(use.command)) return undefined;
    const fields = Object.keys((out.body ?? {}) as object);
    if (fields.length < Object.keys(value.body ?? {}).length && fields.length === 0) return undefined;
    if (use) trim.uses.push(use);
    for (const popup of opened) trim.uses.push({ kind: 'popup', popup });
    if (form !== undefined) for (const name of fields) trim.uses.push({ kind: 'field', form, name });
    return out;
  };
}

/** Popups that the reply of a command may open: the node that calls it leads to them. */
function openedBy(value: Record<string, unknown>, place: CompileContext): readonly string[] {
  const opened = value.do === 'command' ? (place.names.commands.get(String(value.command))?.opens ?? []) : [];
  for (const popup of opened) {
    place.refers.add(`popup:${popup}`);
    place.mentions.popup.add(popup);
  }
  return opened;
}

function usageOf(value: Record<string, unknown>, place: CompileContext): Use | undefined {
  switch (value.do) {
    case 'call':
      checkCall(value, place);
      return { kind: 'write', operation: String(value.operation) };
    case 'download':
      return value.operation === undefined ? undefined : { kind: 'file', operation: String(value.operation) };
    case 'command':
      checkCommand(value, place);
      return { kind: 'command', command: String(value.command) };
    case 'open-popup':
      checkPopup(value, place);
      return { kind: 'popup', popup: String(value.popup) };
    default:
      return undefined;
  }
}
