import type { Envelope } from '../../shared/contract/envelope.ts';
import type { ScreenLayout, Source } from '../../shared/language/types.ts';
import type { Scope } from '../../shared/rules/path.ts';
import { readRequest } from '../../shared/rules/request.ts';
import type { Cloud } from '../cloud/gate.ts';
import type { Caller } from '../commands/caller.ts';
import { readOperation } from '../commands/operation.ts';
import { PortalError } from '../errors.ts';

/** A source that feeds on another's reply can only be read where that reply is. */
function feedsOnData(source: Source): boolean {
  return JSON.stringify([source.with, source.when]).includes('"data.');
}

/** Reads one source; undefined when it cannot be had in time: the browser reads it and says what is wrong. */
async function readSource(
  cloud: Cloud,
  caller: Caller,
  source: Source,
  scope: Scope,
  signal: AbortSignal,
): Promise<Envelope | undefined> {
  const request = feedsOnData(source) ? undefined : readRequest(source, scope);
  if (!request) return undefined;
  try {
    const { envelope } = await readOperation(cloud, caller, {
      operation: request.operation,
      parameters: Object.fromEntries(new URLSearchParams(request.query)),
      signal,
    });
    return envelope.Succeed ? envelope : undefined;
  } catch (error) {
    if (error instanceof PortalError && (error.code === 'PERMISSION_NOT_FOUND' || error.code === 'SESSION_ENDED'))
      throw error;
    return undefined;
  }
}

/**
 * The first replies of a screen by source name, all sources at once and none longer than `patience`. Throws
 * SESSION_ENDED and PERMISSION_NOT_FOUND, which no screen can show around.
 */
export async function readFirstData(
  cloud: Cloud,
  caller: Caller,
  layout: ScreenLayout,
  route: Readonly<Record<string, string>>,
  patience: number,
): Promise<Record<string, Envelope>> {
  const sources = Object.entries(layout.data ?? {});
  if (sources.length === 0) return {};
  const scope: Scope = { route, principal: caller.principal.facts, state: layout.state ?? {}, data: {}, popup: {} };
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), patience);
  try {
    const replies = await Promise.all(
      sources.map(([, source]) => readSource(cloud, caller, source, scope, controller.signal)),
    );
    const data: Record<string, Envelope> = {};
    sources.forEach(([name], index) => {
      const reply = replies[index];
      if (reply) data[name] = reply;
    });
    return data;
  } finally {
    clearTimeout(timer);
  }
}
