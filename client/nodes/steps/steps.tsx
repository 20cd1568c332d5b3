import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { StepReply } from '../../../shared/contract/steps.ts';
import { ListBones } from '../../look/skeleton.tsx';
import { useLate } from '../../look/use-late.ts';
import { useRun } from '../../runtime/effects/effects.ts';
import { Trouble } from '../../runtime/effects/trouble.tsx';
import { usePortalObject } from '../../runtime/state/portal.ts';
import { forgetSteps, keepSteps, readKeptSteps, type Shown } from './kept-steps.ts';
import { StepList } from './list.tsx';
import type { Go } from './sending.ts';
import { StepForm } from './step.tsx';
import { isFinalStep, type StepsProps } from './step-form.ts';
import { useStepHistory } from './step-history.ts';

/**
 * A wizard: the server decides which step comes next; see the language (`steps`). Coming back to a step shows what was
 * typed in it.
 */
export function Steps({ node, scope }: StepsProps): ReactNode {
  const portal = usePortalObject();
  const [address] = useState(() => location.pathname);
  const [path, setPath] = useState<readonly Shown[]>([]);
  const { start, failure, reference } = useRun(scope, node.id);
  const current = path.at(-1);
  const isLate = useLate(!current && !failure);
  const go = useRef<Go>(undefined);
  const block = useRef<HTMLDivElement>(null);
  // The end of a long step is no place to begin the next one from.
  // biome-ignore lint/correctness/useExhaustiveDependencies: with every step that is shown.
  useLayoutEffect(() => {
    if (!block.current || block.current.getBoundingClientRect().top >= 0) return;
    block.current.scrollIntoView();
    block.current.querySelector<HTMLElement>('[aria-current="step"]')?.focus({ preventScroll: true });
  }, [current]);
  const open = async (to?: string) => {
    const { reply } = await start(node.on.step, to === undefined ? {} : { $to: to });
    if (reply?.Succeed && reply.Result)
      setPath(readKeptSteps(portal, address) ?? [{ reply: reply.Result as StepReply, before: {} }]);
  };
  const steps = useStepHistory((to, isBack) => {
    if (!current || to === current.reply.step) return;
    const back = () => void portal.host.back('/');
    // Once all is done, or where nothing is known of the steps before, there is nothing to go back to here.
    if (isFinalStep(node, current.reply) || (isBack && !node.draft && path.length < 2)) return back();
    if (node.draft) return void go.current?.(to).then(isDone => isDone || steps.show(current.reply.step));
    const known = path.findIndex(({ reply }) => reply.step === to);
    if (isBack) setPath(path.slice(0, known < 0 ? -1 : known + 1));
    // Forward does what the button of the step does.
    else void go.current?.().then(isDone => isDone || back());
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: opened once.
  useEffect(() => void open(node.draft && steps.asked), []);
  // The question whether to go on with a draft is no step to come back to.
  const shown = current?.reply.steps?.some(({ id }) => id === current.reply.step) === false ? undefined : current;
  // biome-ignore lint/correctness/useExhaustiveDependencies: with every step that is shown.
  useEffect(() => {
    if (shown) steps.show(shown.reply.step);
  }, [shown]);

  if (!current) {
    if (failure) return <Trouble of={{ failed: failure, reference, retry: () => void open() }} />;
    return isLate && <ListBones rows={4} />;
  }
  const { reply } = current;
  // Without a draft what was typed is here, and one goes back to it as it was.
  const back = node.draft
    ? reply.steps?.[reply.steps.findIndex(({ id }) => id === reply.step) - 1]?.id
    : path.at(-2)?.reply.step;
  return (
    <div ref={block} className="stack" data-testid={node.testId}>
      {reply.title && <h2>{reply.title}</h2>}
      <StepList node={node} scope={scope} current={reply} go={to => void go.current?.(to)} />
      <StepForm
        key={reply.step}
        node={node}
        scope={scope}
        shown={current}
        go={go}
        onWait={values => (values ? keepSteps(portal, address, path, values) : forgetSteps(portal, address))}
        onNext={next => {
          const isAlone = node.draft !== undefined || next.reply.step === reply.step;
          setPath([...(isFinalStep(node, next.reply) ? [] : isAlone ? path.slice(0, -1) : path), next]);
        }}
        onBack={
          back === undefined
            ? undefined
            : () => steps.back(back) || (node.draft ? void go.current?.(back) : setPath(path.slice(0, -1)))
        }
        onTheirs={() => void open(reply.step)}
      />
    </div>
  );
}
