import type { Contract } from '../names/contract.ts';
import { dangerousNames } from '../names/dangerous-names.ts';
import { createCut, type OnBreach } from './cut.ts';

/**
 * Cuts a reply to what a caller's layouts read, building it anew. A field that is not what its contract says counts as
 * absent, and `onBreach` is told its path below the Result.
 */
export type Projection = (reply: unknown, onBreach?: OnBreach) => Record<string, unknown>;

/** Of the envelope these pass unread (design, "The one idea"). */
const open = ['Succeed', 'Error', 'Errors', 'Messages'];

const ignore = (): void => undefined;

/**
 * Makes the function that cuts a reply to the envelope and what a contract declares of its Result; without a contract
 * nothing of the Result passes.
 */
export function createProjection(result: Contract | undefined): Projection {
  const cut = result && createCut(result, { path: '', sanitises: true });
  return (reply, onBreach = ignore) => {
    const out: Record<string, unknown> = {};
    if (reply === null || typeof reply !== 'object') return out;
    const envelope = reply as Record<string, unknown>;
    for (const name of open) {
      const value = passOpen(name, envelope[name]);
      if (value !== undefined) out[name] = value;
    }
    const kept = cut?.(Object.hasOwn(envelope, 'Result') ? envelope.Result : undefined, onBreach);
    if (kept !== undefined) out.Result = kept;
    return out;
  };
}

function passOpen(name: string, value: unknown): unknown {
  if (name === 'Succeed') return typeof value === 'boolean' ? value : undefined;
  if (name === 'Error') return typeof value === 'string' ? value : undefined;
  if (name === 'Messages') return Array.isArray(value) ? value.filter(item => typeof item === 'string') : undefined;
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined;
  const out: Record<string, string[]> = {};
  for (const [field, messages] of Object.entries(value)) {
    if (dangerousNames.has(field)) continue;
    const list = (Array.isArray(messages) ? messages : [messages]).filter(item => typeof item === 'string');
    if (list.length > 0) out[field] = list;
  }
  return out;
}
