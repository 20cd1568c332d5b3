import type { Node } from '../../../shared/language/types.ts';
import { partId } from '../../look/part-id.ts';

/** What is delivered names fields, not what tests find them by. */
export function withTestIds(nodes: readonly Node[], formId: string): Node[] {
  return nodes.map(node => ({
    ...node,
    ...(node.type === 'field' && { testId: node.testId ?? partId(formId, node.propertyName) }),
    ...(node.type === 'grid' && { testId: node.testId ?? partId(formId, node.id) }),
    ...('children' in node && node.children && { children: withTestIds(node.children, formId) }),
  })) as Node[];
}
