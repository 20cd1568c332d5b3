import { useEffect, useState } from 'react';
import type { StepReply } from '../../../shared/contract/steps.ts';
import type { FieldNode, StepsNode } from '../../../shared/language/types.ts';
import { useRun } from '../../runtime/effects/effects.ts';
import type { NodeProps } from '../../runtime/page/registry.ts';
import type { FormStore } from '../../runtime/state/form-types.ts';

/** Milliseconds from the last change until it is asked. */
const pause = 250;

type Values = Readonly<Record<string, unknown>>;
type Sources = NodeProps<'steps'> & {
  readonly unit: StepsNode['steps'][number] | undefined;
  readonly form: FormStore;
  readonly fields: readonly FieldNode[];
  readonly reply: StepReply;
  readonly before: Values;
};
export type Estimate = {
  /** What was answered last, by name: replies, and facts of the command. */
  readonly data?: Values | undefined;
  readonly facts?: Values | undefined;
  /** True while something else is typed than what it was answered for. */
  readonly isOld: boolean;
};

const none: Estimate = { isOld: false };

/**
 * Hook that asks the server anew for what a wizard shows beside a step (such as a price) a moment after its fields
 * change; the earlier answer stays until the next one is there.
 */
export function useEstimate({ node, scope, unit, form, fields, reply, before }: Sources): Estimate {
  const { start } = useRun(scope, node.id);
  const [estimate, setEstimate] = useState(none);
  const isAsked =
    unit?.live === true &&
    (node.keptText !== undefined || (unit.aside?.length ?? 0) > 0 || (unit.bar?.length ?? 0) > 0);
  const { step } = node.on;
  useEffect(() => {
    if (!isAsked) return undefined;
    const names = fields.filter(({ kind }) => kind !== 'hidden').map(({ propertyName }) => propertyName);
    const read = () => Object.fromEntries(names.map(name => [name, form.read(name)]));
    let asked = JSON.stringify(read());
    let timer = 0;
    let isUnderWay = false;
    let isOver = false;
    const ask = async (): Promise<void> => {
      const values = read();
      const written = JSON.stringify(values);
      if (isUnderWay || isOver || written === asked) return;
      isUnderWay = true;
      asked = written;
      const { reply: answer, done } = await start(step, { ...before, ...values, $step: reply.step, $estimate: true });
      isUnderWay = false;
      const { data, facts } = (done && (answer?.Result as StepReply | undefined)) || {};
      if (!isOver) setEstimate(old => (data || facts ? { data, facts, isOld: false } : { ...old, isOld: true }));
      await ask();
    };
    const changed = (): void => {
      window.clearTimeout(timer);
      if (JSON.stringify(read()) === asked) return;
      setEstimate(old => (old.isOld ? old : { ...old, isOld: true }));
      timer = window.setTimeout(() => void ask(), pause);
    };
    const end = form.channel(names).subscribe(changed);
    return () => {
      isOver = true;
      window.clearTimeout(timer);
      end();
    };
  }, [isAsked, fields, form, step, start, before, reply.step]);
  return estimate;
}
