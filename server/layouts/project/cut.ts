import sanitizeHtml from 'sanitize-html';
import { valueKinds } from '../../../shared/language/reply.ts';
import { decimalOf } from '../../../shared/rules/money.ts';
import { readEpoch } from '../../../shared/rules/read-epoch.ts';
import type { Contract, Limits, RecordContract, ValueContract } from '../names/contract.ts';
import { dangerousNames } from '../names/dangerous-names.ts';
import { isObject } from '../names/json.ts';
import { testPattern } from '../names/pattern.ts';

/** Told the path of a field that is not what its contract says. */
export type OnBreach = (field: string) => void;
/** Gives what passes of a value; undefined where nothing does. */
export type Cut = (value: unknown, onBreach: OnBreach) => unknown;

export type CutOptions = {
  /** Path of the value, for `onBreach`. */
  readonly path: string;
  /** True where HTML is for a browser. */
  readonly sanitises: boolean;
};

/**
 * Makes the function that copies a value with only what a contract declares. A value that contradicts the contract is
 * left out and reported as a breach.
 */
export function createCut(contract: Contract, options: CutOptions): Cut {
  const { path } = options;
  const inner = createInner(contract, options);
  return (value, onBreach) => {
    if (value !== null && value !== undefined) return inner(value, onBreach);
    if (!contract.optional) onBreach(path);
    return contract.optional ? value : undefined;
  };
}

function createInner(contract: Contract, options: CutOptions): Cut {
  switch (contract.type) {
    case 'value':
      return createValueCut(contract, options);
    case 'model':
      return value => value;
    case 'list': {
      const cut = createCut(contract.item, options);
      return (value, onBreach) =>
        Array.isArray(value)
          ? value.map(item => cut(item, onBreach)).filter(item => item !== undefined)
          : breach(onBreach, options);
    }
    case 'map': {
      const cut = createCut(contract.item, { ...options, path: `${options.path}.*` });
      return (value, onBreach) => {
        if (!isObject(value)) return breach(onBreach, options);
        const out: Record<string, unknown> = {};
        for (const [name, item] of Object.entries(value)) {
          const kept = dangerousNames.has(name) ? undefined : cut(item, onBreach);
          if (kept !== undefined) out[name] = kept;
        }
        return out;
      };
    }
    case 'record':
      return createRecordCut(contract, options);
  }
}

function breach(onBreach: OnBreach, { path }: CutOptions): undefined {
  onBreach(path);
}

function createValueCut({ kind, limits }: ValueContract, options: CutOptions): Cut {
  const classes: readonly string[] = valueKinds[kind].classes;
  const sanitises = kind === 'html' && options.sanitises;
  if (kind === 'money')
    return (value, onBreach) => {
      const amount = decimalOf(value);
      const isKept = amount !== undefined && (!limits || isWithin(Number(amount), limits));
      return isKept ? amount : breach(onBreach, options);
    };
  return (value, onBreach) => {
    if (!classes.includes(typeof value) || (limits && !isWithin(value, limits))) return breach(onBreach, options);
    if (kind === 'epoch') return readEpoch(String(value)) ?? breach(onBreach, options);
    return sanitises ? sanitise(String(value)) : value;
  };
}

function isWithin(value: unknown, { min = -Infinity, max = Infinity, pattern }: Limits): boolean {
  if (typeof value === 'number') return value >= min && value <= max;
  return typeof value !== 'string' || (value.length <= max && (pattern === undefined || testPattern(pattern, value)));
}

function createRecordCut({ fields }: RecordContract, options: CutOptions): Cut {
  const cuts = [...fields].map(([name, field]) => {
    const path = options.path === '' ? name : `${options.path}.${name}`;
    return [name, createCut(field, { ...options, path })] as const;
  });
  return (value, onBreach) => {
    if (!isObject(value)) return breach(onBreach, options);
    const out: Record<string, unknown> = {};
    for (const [name, cut] of cuts) {
      const kept = cut(Object.hasOwn(value, name) ? value[name] : undefined, onBreach);
      if (kept !== undefined) out[name] = kept;
    }
    return out;
  };
}

/** An address on the portal: no browser reads it as that of another host, which tabs and backslashes may hide. */
const onPortal = /^\/(?![\s/\\\u0000-\u001f])/;

/**
 * Gives a function that puts the headings of one text below the title of its page, each at most one level deeper than the
 * one it belongs to (WCAG 2.2, 1.3.1), whichever levels their author chose.
 */
function outline(): (tagName: string) => string {
  const above: string[] = [];
  return tagName => {
    while (above.length > 0 && above.at(-1)! >= tagName) above.pop();
    above.push(tagName);
    return `h${Math.min(above.length + 1, 6)}`;
  };
}

const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];

/**
 * Sanitises HTML from the cloud by an allow-list of plain formatting. Links to the portal stay in the page; others open in
 * a new tab, without opener or referrer. Headings begin at level 2.
 */
export function sanitise(html: string): string {
  const place = outline();
  return sanitizeHtml(html, {
    allowedTags: [
      'p',
      'br',
      'b',
      'strong',
      'i',
      'em',
      'u',
      'ul',
      'ol',
      'li',
      ...headings,
      'a',
      'code',
      'kbd',
      'blockquote',
      'span',
    ],
    allowedAttributes: { a: ['href', 'rel', 'target'] },
    allowedSchemes: ['https', 'mailto', 'tel'],
    allowProtocolRelative: false,
    transformTags: {
      ...Object.fromEntries(
        headings.map(heading => [heading, (tagName: string) => ({ tagName: place(tagName), attribs: {} })]),
      ),
      a: (tagName, { href = '' }) => ({
        tagName,
        attribs: onPortal.test(href) ? { href } : { href, rel: 'noopener noreferrer', target: '_blank' },
      }),
    },
  });
}
