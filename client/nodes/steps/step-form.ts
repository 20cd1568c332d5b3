import type { Envelope } from '../../../shared/contract/envelope.ts';
import type { StepReply } from '../../../shared/contract/steps.ts';
import type { FieldNode } from '../../../shared/language/types.ts';
import { checkForm } from '../../../shared/rules/validation.ts';
import { partId } from '../../look/part-id.ts';
import { testPattern } from '../../runtime/forms/pattern.ts';
import type { FormShape } from '../../runtime/page/form-frame.tsx';
import type { NodeProps } from '../../runtime/page/registry.ts';
import type { FormStore } from '../../runtime/state/form-types.ts';
import { withTestIds } from '../delivered/test-ids.ts';

export type StepsProps = NodeProps<'steps'>;

/** All is done once this step is shown. */
export const isFinalStep = (node: StepsProps['node'], { step }: StepReply): boolean =>
  node.steps.find(({ id }) => id === step)?.last === true;

/** Nothing of it is unsaved: all is done, or is kept while something else comes first. */
const isOver = (node: StepsProps['node'], reply: StepReply): boolean =>
  reply.waits === true || isFinalStep(node, reply);

const formId = (node: StepsProps['node'], step: string): string => `${node.id}-${step}`;

/** The form of a step: what its document says of it, with the fields that the server gives. */
export function shapeOf(
  node: StepsProps['node'],
  unit: StepsProps['node']['steps'][number] | undefined,
  reply: StepReply,
): FormShape {
  const testId = partId(node.testId, reply.step);
  const children = reply.nodes ?? [...(reply.children ?? []), ...(unit?.children ?? [])];
  return {
    id: formId(node, reply.step),
    submit: unit?.submit ?? '',
    ...(node.values && { values: node.values }),
    ...(unit?.busy && { busy: unit.busy }),
    ...(unit?.danger && { danger: true }),
    ...(unit?.twoColumns && { twoColumns: true }),
    ...(testId && { testId }),
    ...(node.errorTitle && { errorTitle: node.errorTitle }),
    // A step that is sent as a whole cannot be until it is right; see `asWhole`.
    pristine: !unit?.whole,
    children: testId ? withTestIds(children, testId) : children,
  };
}

/** A form whose submit button goes by whether all of it is right, where others go by whether anything was changed. */
export function asWhole(form: FormStore, fields: readonly FieldNode[], scope: StepsProps['scope']): FormStore {
  const names = fields.map(({ propertyName }) => propertyName);
  return {
    ...form,
    channel: name => form.channel(name === '$changed' ? names : name),
    read: name =>
      name === '$changed'
        ? Object.keys(checkForm(fields, form.readAll(), scope, testPattern).errors).length === 0
        : form.read(name),
  };
}

/** A form of a wizard without a draft: what was typed in any step is unsaved until the last one is through. */
export function untilTheLast(
  form: FormStore,
  node: StepsProps['node'],
  forms: ReadonlyMap<string, FormStore>,
): FormStore {
  const settle = (answer?: Envelope): void => {
    if (node.draft) form.settle();
    else if (!answer?.Result || isOver(node, answer.Result as StepReply))
      for (const { id } of node.steps) forms.get(formId(node, id))?.settle();
  };
  return { ...form, settle };
}

/** A form that takes nothing away but passwords when one goes back: it is there when one comes forth again. */
export function keepsTyped(form: FormStore): FormStore {
  const reset = (): void => {
    const typed = form.keep();
    form.reset();
    for (const name in typed) form.set(name, typed[name]);
  };
  return { ...form, reset };
}
