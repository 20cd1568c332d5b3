import type { Condition, FieldNode } from '../language/types.ts';

/**
 * Lists the form fields in a list of nodes, in order, those inside other nodes included. The condition of a surrounding
 * node is added to each field in it, so that a hidden field is not sent.
 */
export function fieldsIn(nodes: unknown): FieldNode[] {
  if (!Array.isArray(nodes)) return [];
  return nodes.flatMap(node => {
    if (node?.type === 'field') return [node as FieldNode];
    const inside = fieldsIn(node?.children);
    const frame = node?.when as Condition | undefined;
    return frame === undefined ? inside : inside.map(field => within(field, frame));
  });
}

const secretKinds: ReadonlySet<string> = new Set(['password', 'one-time-code']);

/** True for a field whose value is never kept before it is sent (passwords, codes). */
export const isSecret = ({ kind }: Pick<FieldNode, 'kind'>): boolean => secretKinds.has(kind);

const within = (field: FieldNode, frame: Condition): FieldNode => ({
  ...field,
  when: field.when === undefined ? frame : { all: [frame, field.when] },
});
