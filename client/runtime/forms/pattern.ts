import { createPattern } from '../../../shared/rules/pattern.ts';

const compiled = new Map<string, RegExp | undefined>();

/** Tests a value against a pattern of a schema. An invalid pattern matches nothing, as on the server. */
export function testPattern(pattern: string, value: string): boolean {
  if (!compiled.has(pattern)) {
    try {
      compiled.set(pattern, createPattern(pattern));
    } catch {
      compiled.set(pattern, undefined);
    }
  }
  return compiled.get(pattern)?.test(value) ?? false;
}
