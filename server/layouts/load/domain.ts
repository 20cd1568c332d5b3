import type { Source } from '../names/source.ts';

const place = '{domain}';

/** Replaces the place in every address outside below `value`. */
function filled(value: unknown, domain: string): unknown {
  if (Array.isArray(value)) return value.map(item => filled(item, domain));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      name === 'external' && typeof item === 'string' ? item.replaceAll(place, domain) : filled(item, domain),
    ]),
  );
}

/**
 * Makes a function that puts the configured domain name in place of `{domain}` in addresses outside (`external`), such
 * as those of sibling portals. It happens as documents are loaded, so that nothing of it travels to a browser, and
 * gives the same object for the same document, so that an edit elsewhere compiles nothing of it again.
 */
export function createDomainFiller(domain: string | undefined): (source: Source) => Source {
  const known = new WeakMap<Source, Source>();
  return source => {
    if (domain === undefined) return source;
    const result = known.get(source) ?? fill(source, domain);
    known.set(source, result);
    return result;
  };
}

function fill(source: Source, domain: string): Source {
  if (!JSON.stringify(source.json).includes(place)) return source;
  return { ...source, json: filled(source.json, domain) as Source['json'] };
}
