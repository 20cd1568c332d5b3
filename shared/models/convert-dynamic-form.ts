import type { FieldNode } from '../language/types.ts';
import type { WireForm, WireFormField } from './dynamic-form.ts';

function convertField(field: WireFormField, mandatoryMessage: string): FieldNode {
  const { PropertyName, Label, Type, Mandatory, Regex, InvalidMessage, ToolTip, Message } = field;
  return {
    type: 'field',
    propertyName: PropertyName,
    kind: Type === 2 ? 'password' : 'text',
    label: Label || PropertyName,
    ...(Mandatory && { mandatory: true, mandatoryMessage }),
    ...(Regex && { regex: Regex }),
    ...(InvalidMessage && { invalidMessage: InvalidMessage }),
    ...(ToolTip && { toolTip: ToolTip }),
    ...(Message && { message: Message }),
  };
}

/**
 * Converts a dynamic form of the cloud (document 2, sections 3 and 5) to field nodes of the layout language; its texts
 * are literal.
 */
export function convertDynamicForm(form: WireForm, mandatoryMessage: string): FieldNode[] {
  return form.Fields.map(field => convertField(field, mandatoryMessage));
}
