import type { Node } from '../../../shared/language/types.ts';
import { partId } from '../../look/part-id.ts';

/**
 * Gives fields and grids of a form that the cloud delivers their test ids, made from the form's id and the field's
 * name.
 */
export function withTestIds(nodes: readonly Node[], formId: string): Node[] {
  return nodes.map(node => ({
    ...node,
    ...(node.type === 'field' && { testId: node.testId ?? partId(formId, node.propertyName) }),
    ...(node.type === 'grid' && { testId: node.testId ?? partId(formId, node.id) }),
    ...('children' in node && node.children && { children: withTestIds(node.children, formId) }),
  })) as Node[];
}
