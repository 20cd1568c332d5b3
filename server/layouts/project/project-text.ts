import { valueKinds } from '../../../shared/language/reply.ts';
import type { Contract } from '../contract/contract.ts';
import { type Branch, type Cutting, type Field, passObject } from './cut-text.ts';
import { classes, odd, openBrace, skipSpace } from './plain-json.ts';
import { open } from './project.ts';

/**
 * Cuts a reply in its own text, without building it: the JSON of what the projection to the same contract gives.
 * Undefined for a text that is anything but plain (escapes, doubled or odd fields, long or odd numbers, a failure, no
 * JSON at all) or that breaks the contract: such a reply is parsed and projected like any other. Most are plain, and a read
 * costs half as much.
 */
export type TextProjection = (text: string) => string | undefined;

const mostFields = 31;

/** Undefined where values have to be looked into: HTML, moments in epochs, values with limits, and models. */
function compile(contract: Contract): Branch | undefined {
  const nullable = contract.optional ? classes.null : 0;
  switch (contract.type) {
    case 'value': {
      if (contract.kind === 'html' || contract.kind === 'epoch' || contract.limits) return undefined;
      // An amount that is a number is made a decimal string, which is more than cutting.
      if (contract.kind === 'money') return { ...leaf, accepts: classes.decimal | nullable };
      const accepts = valueKinds[contract.kind].classes.reduce((all, name) => all | classes[name], nullable);
      return { ...leaf, accepts };
    }
    case 'list': {
      const item = compile(contract.item);
      return item && { ...leaf, accepts: classes.list | nullable, item };
    }
    case 'record': {
      const members = [...contract.fields].map(([name, field]) => {
        const branch = compile(field);
        return branch && { name, branch, isRequired: !field.optional };
      });
      return members.every(member => member !== undefined) ? compileMembers(members, nullable) : undefined;
    }
    default:
      return undefined;
  }
}

const leaf = { fields: [], required: 0, lessons: 0 } as const;

type Member = Omit<Field, 'bit'> & { readonly isRequired: boolean };

function compileMembers(members: readonly Member[], nullable: number): Branch | undefined {
  if (members.length > mostFields) return undefined;
  const fields: Field[][] = [];
  let required = 0;
  members.forEach(({ isRequired, ...member }, index) => {
    const { length } = member.name;
    const bit = 1 << index;
    fields[length] = [...(fields[length] ?? []), { ...member, bit }];
    if (isRequired) required |= bit;
  });
  return { accepts: classes.object | nullable, fields: Array.from(fields), required, lessons: 0 };
}

const envelope: readonly Member[] = open.map(name =>
  name === 'Succeed'
    ? { name, branch: { ...leaf, accepts: classes.boolean }, only: 'true', isRequired: true }
    : { name, branch: undefined, only: 'null', isRequired: false },
);

/**
 * Makes the projection of `createProjection` for replies as JSON text, which is cut without parsing; undefined when the
 * contract needs more than cutting, such as sanitising.
 */
export function createTextProjection(result: Contract | undefined): TextProjection | undefined {
  const branch = result && compile(result);
  if (result && !branch) return undefined;
  const members = branch && result ? [{ name: 'Result', branch, isRequired: !result.optional }] : [];
  const root = compileMembers([...envelope, ...members], 0) as Branch;
  return text => {
    if (text.includes('\\')) return undefined;
    const cutting: Cutting = { text, out: '', from: 0 };
    const start = skipSpace(text, 0);
    if (text.charCodeAt(start) !== openBrace) return undefined;
    const end = passObject(cutting, start + 1, root, 0);
    if (end === odd || skipSpace(text, end) !== text.length) return undefined;
    return cutting.out + text.slice(cutting.from);
  };
}
