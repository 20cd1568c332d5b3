import type { CallRequest } from '../../shared/contract/call.ts';
import { openDelivered, submitDelivered } from '../../shared/contract/delivered-commands.ts';
import { finishHostedPage } from '../../shared/contract/hosted-page.ts';
import type { Binding, CallEffect, CommandEffect, Effect, FieldNode, Node } from '../../shared/language/types.ts';
import { PortalError } from '../errors.ts';
import type { Access, TrimmedLayout } from '../layouts/index.ts';
import type { Caller } from '../operations/caller.ts';
import { checkBody } from '../operations/check-body.ts';
import { notPermitted } from '../operations/not-permitted.ts';

/** The operation or command that a press asks for. */
export type PressedCall =
  | { readonly do: 'call'; readonly name: string }
  | { readonly do: 'command'; readonly name: string };

/** A press that the caller's current layouts allow. */
export type Press = {
  readonly node: Node;
  readonly layout: TrimmedLayout;
  /** True when the page shows an older layout than the one that authorised it. */
  readonly isOld: boolean;
};

/**
 * Remembers which document a layout hash stood for, so that a press on a page with an older layout is checked against
 * the newer one. Kinds of callers do not share entries: a caller learns nothing from the hash of a layout that it never
 * received.
 */
export type LayoutMemory = {
  note(access: Access, layout: TrimmedLayout): void;
  documentOf(access: Access, hash: string): string | undefined;
};

const remembered = 20_000;
const documentOf = ({ layout }: TrimmedLayout): string => `${layout.kind}:${layout.id}`;

const keyOf = ({ key }: Access, hash: string): string => `${key} ${hash}`;

/**
 * Creates the memory of which document each layout hash that this process sent belongs to, so that a press on an older
 * layout is recognised. Beyond 20,000 hashes it forgets the oldest.
 */
export function createLayoutMemory(): LayoutMemory {
  const documents = new Map<string, string>();
  /** A layout belongs to one kind of caller, so its key is made once: layouts are asked for again and again. */
  const keys = new WeakMap<TrimmedLayout, string>();
  return {
    note(access, layout) {
      const key = keys.get(layout) ?? keyOf(access, layout.hash);
      keys.set(layout, key);
      if (documents.has(key)) return;
      if (documents.size >= remembered) documents.delete(documents.keys().next().value as string);
      documents.set(key, documentOf(layout));
    },
    documentOf: (access, hash) => documents.get(keyOf(access, hash)),
  };
}

type Calling = CallEffect | CommandEffect;

function* callingIn(effects: readonly Effect[] | undefined): Generator<Calling> {
  for (const effect of effects ?? []) {
    if (effect.do === 'call' || effect.do === 'command') yield effect;
    else if (effect.do === 'toast') yield* callingIn(effect.undo);
  }
}

/** Lists the effects of a node's own event handlers that call an operation or a command. */
function callsOf(node: Node): Calling[] {
  const { on } = node as { readonly on?: Readonly<Record<string, readonly Effect[] | undefined>> };
  return Object.values(on ?? {}).flatMap(effects => [...callingIn(effects)]);
}

const constantOf = (binding: Binding): { value: unknown } | undefined => {
  if (typeof binding === 'string') return undefined;
  if (typeof binding !== 'object') return { value: binding };
  return 'value' in binding ? binding : undefined;
};

/**
 * True when the given values have declared names only, and every constant of the document arrives unchanged. The
 * browser leaves out empty constants.
 */
function follows(
  bindings: Readonly<Record<string, Binding>> | undefined,
  given: Readonly<Record<string, unknown>> | undefined,
): boolean {
  const declared = bindings ?? {};
  for (const name of Object.keys(given ?? {})) if (!Object.hasOwn(declared, name)) return false;
  return Object.entries(declared).every(([name, binding]) => {
    const constant = constantOf(binding);
    if (!constant || constant.value === null || constant.value === '') return true;
    return given?.[name] === constant.value;
  });
}

/**
 * True for the commands of a `delivered` node (a form that the cloud defines at run time): its fields are not in the
 * layout, so the command itself checks the body.
 */
export const isDelivered = (command: string): boolean => command === openDelivered || command === submitDelivered;

function fits(node: Node, target: PressedCall, request: CallRequest): boolean {
  if (node.type === 'delivered' && target.do === 'command' && isDelivered(target.name))
    return follows(node.with, request.with);
  if (node.type === 'hosted-page' && target.do === 'command' && target.name === finishHostedPage)
    return follows(undefined, request.with);
  return callsOf(node).some(effect => {
    const name = effect.do === 'call' ? effect.operation : effect.command;
    if (effect.do !== target.do || name !== target.name) return false;
    return follows(effect.with, request.with) && (effect.body === undefined || follows(effect.body, request.body));
  });
}

/**
 * Finds the caller's current layout of the document that the press belongs to; when the document is not remembered, any
 * of its layouts that allows the press.
 */
function currentOf(
  caller: Caller,
  memory: LayoutMemory,
  target: PressedCall,
  request: CallRequest,
): TrimmedLayout | undefined {
  const document = memory.documentOf(caller.access, request.layout);
  const own = [...caller.access.byHash.values()];
  if (document !== undefined) return own.find(trimmed => documentOf(trimmed) === document);
  return own.find(trimmed => {
    const node = trimmed.nodes.get(request.node);
    return node !== undefined && fits(node, target, request);
  });
}

/**
 * Makes the error for a press that the current layout no longer allows; it brings that layout, so that the page shows
 * it.
 */
export function layoutChanged(trimmed: TrimmedLayout | undefined): PortalError {
  return new PortalError('LAYOUT_CHANGED', trimmed && { layout: { hash: trimmed.hash, layout: trimmed.layout } });
}

/**
 * Finds the pressed node in the caller's layouts and checks that it calls this operation or command, with its
 * parameters and constants. A page that was open before an edit of its document is checked against the current layout.
 * @throws {PortalError} NOT_PERMITTED when no layout of the caller allows the press, LAYOUT_CHANGED when an older one
 * allowed it
 */
export function authorisePress(caller: Caller, memory: LayoutMemory, target: PressedCall, request: CallRequest): Press {
  const { byHash, navigation } = caller.access;
  // The navigation comes with the boot, without a hash of its own; it goes by its id.
  const shown = byHash.get(request.layout) ?? (navigation?.id === request.layout ? navigation : undefined);
  const layout = shown ?? currentOf(caller, memory, target, request);
  const node = layout?.nodes.get(request.node);
  if (layout && node && fits(node, target, request)) return { node, layout, isOld: shown === undefined };
  if (shown)
    throw notPermitted(caller, `no node ${request.node.slice(0, 80)} of ${shown.id} says ${target.do} ${target.name}`);
  throw layoutChanged(layout);
}

/**
 * Checks and gives the body of a press, as `checkBody`; undefined when the operation takes none (`fields` absent).
 * @throws {PortalError} BAD_REQUEST for a body where none is taken, FIELDS_INVALID by field, and LAYOUT_CHANGED in its
 * place when the page is older: its user saw other fields
 */
export function checkPressed(
  fields: readonly FieldNode[] | undefined,
  given: CallRequest['body'] = {},
  caller: Caller,
  press: Press,
  own?: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> | undefined {
  if (!fields) {
    if (Object.keys(given).length > 0) throw new PortalError('BAD_REQUEST', { detail: 'no body is taken' });
    return undefined;
  }
  try {
    return checkBody(fields, given, caller, own);
  } catch (error) {
    if (press.isOld) throw layoutChanged(press.layout);
    throw error;
  }
}
