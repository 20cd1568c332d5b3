import type { Operation, Scalar } from '../../shared/language/types.ts';
import { PortalError } from '../errors.ts';

export type Parameters = Readonly<Record<string, Scalar | undefined>>;

type Template = {
  /** Literal text and parameter names in turn: ['/api/users/', 'userId', '']. */
  readonly parts: readonly string[];
  /** Parameters of the query and their names upstream. */
  readonly query: readonly (readonly [name: string, wire: string])[];
};

const templates = new WeakMap<Operation, Template>();

function compile(operation: Operation): Template {
  let template = templates.get(operation);
  if (!template) {
    const parts = operation.path.split(/[{}]/);
    const inPath = new Set(parts.filter((_, index) => index % 2 === 1));
    const query = Object.entries(operation.with ?? {})
      .filter(([name]) => !inPath.has(name))
      .map(([name, { wire }]) => [name, wire ?? name] as const);
    template = { parts, query };
    templates.set(operation, template);
  }
  return template;
}

const refuse = (name: string, why: string): never => {
  throw new PortalError('PARAMETER_INVALID', { detail: `parameter ${name} ${why}` });
};

/** What an upstream that decodes a part again (and again) would read in it. */
function decodings(value: string): string[] {
  const seen = [value];
  for (let text = value; seen.length < 4 && text.includes('%'); ) {
    try {
      text = decodeURIComponent(text);
    } catch {
      break;
    }
    seen.push(text);
  }
  return seen;
}

/** A part of a path that can only ever be one part of it, whoever decodes it. */
function encodePart(name: string, value: Scalar | undefined): string {
  const text = value === undefined || value === null ? '' : String(value);
  if (text === '') refuse(name, 'is missing');
  for (const decoded of decodings(text)) {
    if (/[\u0000-\u001f\u007f]/.test(decoded)) refuse(name, 'holds a control character');
    if (decoded.includes('.') && decoded.split(/[/\\]/).some(part => /^\.{1,2}(?:;|$)/.test(part)))
      refuse(name, 'holds a dot segment');
  }
  return encode(name, text);
}

function encode(name: string, text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return refuse(name, 'is not well-formed text');
  }
}

/**
 * Builds the path and query of an operation below `base`. Parameters are percent-encoded one by one, and the result is
 * compared with what a URL parser makes of it, so that no value can leave the operation's path. Throws
 * PARAMETER_INVALID.
 */
export function buildAddress(base: URL, operation: Operation, parameters: Parameters): string {
  const { parts, query } = compile(operation);
  let path = base.pathname === '/' ? '' : base.pathname.replace(/\/$/, '');
  parts.forEach((part, index) => {
    path += index % 2 === 0 ? part : encodePart(part, parameters[part]);
  });
  let search = '';
  for (const [name, wire] of query) {
    const value = parameters[name];
    if (value === undefined || value === null) continue;
    search += `${search === '' ? '?' : '&'}${encodeURIComponent(wire)}=${encode(name, String(value))}`;
  }
  // Without parameters in it the path is the document's own, and an encoded query cannot reach back into it.
  if (parts.length > 1) {
    const parsed = new URL(base.origin + path + search);
    if (parsed.origin !== base.origin || parsed.pathname !== path || parsed.hash !== '')
      refuse('path', 'leaves the path of its operation');
  }
  return path + search;
}
