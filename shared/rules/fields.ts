import type { Condition, FieldNode } from '../language/types.ts';

/**
 * The field nodes of a list of nodes, those inside frames included, in order. The condition of a frame is one of every
 * field in it: what is not shown is not sent.
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

const within = (field: FieldNode, frame: Condition): FieldNode => ({
  ...field,
  when: field.when === undefined ? frame : { all: [frame, field.when] },
});
