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

/** The fields of a dynamic form (document 2, sections 3 and 5) in the language of layouts; texts are literal. */
export function convertDynamicForm(form: WireForm, mandatoryMessage: string): FieldNode[] {
  return form.Fields.map(field => convertField(field, mandatoryMessage));
}
