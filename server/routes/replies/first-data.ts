import type { Envelope } from '../../../shared/contract/envelope.ts';
import type { DataSource, ScreenLayout } from '../../../shared/language/types.ts';
import { isMet } from '../../../shared/rules/condition.ts';
import { keysToJoin } from '../../../shared/rules/joined-rows.ts';
import { bind, type Scope } from '../../../shared/rules/path.ts';
import { readRequest } from '../../../shared/rules/read-request.ts';
import { readOperation } from '../../calls/operation.ts';
import { type ErrorCode, PortalError } from '../../errors.ts';
import type { Caller } from '../../operations/caller.ts';
import type { Services } from '../../operations/services.ts';

/** What no screen can show around. */
const passedOn: ReadonlySet<ErrorCode> = new Set([
  'PERMISSION_NOT_FOUND',
  'SESSION_ENDED',
  'ADDRESS_NOT_ALLOWED',
  'NOT_FOUND',
]);

/** A source whose parameters feed on another's reply can only be read where that reply is. */
function feedsOnData(source: DataSource): boolean {
  return JSON.stringify([source.with, source.when]).includes('"data.');
}

/** True where nothing in the address says which one is meant, or where it names one that is not the caller's own. */
function isElsewhere(source: DataSource, scope: Scope, { access, principal }: Caller): boolean {
  if (isMet(source.when, scope) && readRequest(source, scope, keysToJoin) === undefined) return true;
  const facts = principal.facts as Readonly<Record<string, unknown>>;
  return [...(access.reads.get(source.operation)?.own ?? [])].some(([parameter, fact]) => {
    const binding = source.bound?.[parameter];
    const named = binding === undefined ? undefined : bind(binding, scope);
    return named !== undefined && named !== null && named !== '' && String(named) !== String(facts[fact]);
  });
}

/**
 * Reads one source; undefined when it cannot be had in time: the browser reads it and says what is wrong. Throws
 * NOT_FOUND for what the screen is about.
 */
async function readSource(
  services: Services,
  caller: Caller,
  source: DataSource,
  scope: Scope,
  signal: AbortSignal,
): Promise<Envelope | undefined> {
  const isFed = feedsOnData(source);
  const gone = (): PortalError => new PortalError('NOT_FOUND', { detail: `${source.operation} of this screen` });
  if (source.essential && !isFed && isElsewhere(source, scope, caller)) throw gone();
  const request = isFed ? undefined : readRequest(source, scope, keysToJoin);
  if (!request) return undefined;
  try {
    const { status, envelope } = await readOperation(services, caller, {
      operation: request.operation,
      parameters: Object.fromEntries(new URLSearchParams(request.query)),
      signal,
    });
    if (source.essential && status === 404) throw gone();
    return envelope.Succeed ? envelope : undefined;
  } catch (error) {
    if (error instanceof PortalError && passedOn.has(error.code)) throw error;
    if (source.essential && error instanceof PortalError && error.code === 'PARAMETER_INVALID') throw gone();
    return undefined;
  }
}

/**
 * Reads the first replies of a screen or the navigation, by source name, all at once; leaves out those that take longer
 * than `patience` milliseconds.
 * @throws {PortalError} SESSION_ENDED, PERMISSION_NOT_FOUND and NOT_FOUND, which no screen can show
 */
export async function readFirstData(
  services: Services,
  caller: Caller,
  layout: Pick<ScreenLayout, 'data' | 'state'>,
  route: Readonly<Record<string, string>>,
  patience: number,
): Promise<Record<string, Envelope>> {
  const sources = Object.entries(layout.data ?? {});
  if (sources.length === 0) return {};
  const scope: Scope = { route, principal: caller.principal.facts, state: layout.state ?? {}, data: {}, popup: {} };
  const controller = new AbortController();
  const { signal } = controller;
  const timer = setTimeout(() => controller.abort(), patience);
  // Whatever a read waits for, the page does not.
  const isOver = new Promise<undefined>(resolve => signal.addEventListener('abort', () => resolve(undefined)));
  const data: Record<string, Envelope> = {};
  const readAll = (some: typeof sources): Promise<unknown> =>
    Promise.all(
      some.map(async ([name, source]) => {
        const reply = await Promise.race([readSource(services, caller, source, { ...scope, data }, signal), isOver]);
        if (reply) data[name] = reply;
      }),
    );
  try {
    await readAll(sources.filter(([, { rows }]) => rows === undefined));
    // A source that joins rows is asked with their keys.
    await readAll(sources.filter(([, { rows }]) => rows !== undefined));
    return Object.fromEntries(sources.flatMap(([name]) => (data[name] ? [[name, data[name]]] : [])));
  } finally {
    clearTimeout(timer);
  }
}
