import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { Icon } from '../look/icon.tsx';
import { addStyles } from '../look/late-styles.ts';
import { useRun } from '../runtime/effects/effects.ts';
import type { NodeProps } from '../runtime/page/registry.ts';
import { useText, useValue } from '../runtime/state/values.ts';

addStyles(`
  .strength { display: grid; gap: var(--s-3); }
  .meter { display: grid; gap: var(--s-15); }
  .meter__bars { display: grid; grid-template-columns: repeat(4, 1fr); gap: var(--s-1); }
  .meter__bars > span { height: 4px; border-radius: var(--r-full); background: var(--line-strong); }
  .meter--weak .is-on { background: var(--wait-mark); } .meter--strong .is-on { background: var(--ok-mark); }
  .meter__word { display: flex; justify-content: space-between; font-size: var(--t-s); color: var(--text-2); } .meter__word b { color: var(--text); font-weight: var(--w-medium); }
  .checklist { display: grid; gap: var(--s-1); margin: 0; padding: 0; list-style: none; font-size: var(--t-s); line-height: var(--lh-s); }
  /* Room for the rules, which come a moment later. */
  .checklist:empty { min-height: 5rem; }
  .checklist > li { display: flex; align-items: center; gap: var(--s-2); color: var(--text-2); }
  .checklist .icon { width: 16px; height: 16px; flex: none; }
  .checklist .is-met { color: var(--text); } .checklist .is-met .icon { color: var(--ok-text); }
`);

/** What the server answers of a password: 0 to 4, and each rule that has a name. */
type Verdict = {
  readonly score: number;
  readonly isStrong: boolean;
  readonly named: readonly { readonly name: string; readonly isMet: boolean }[];
};

/** Milliseconds of a pause in typing. */
const pause = 250;
const highest = 4;

/** The verdict on the password as it stands after a pause; the last one stays until the next is there. */
function useVerdict({ node, scope }: NodeProps<'strength'>, password: string): Verdict | undefined {
  const { start } = useRun(scope, node.id);
  const [verdict, setVerdict] = useState<Verdict>();
  const latest = useRef(password);
  latest.current = password;
  const effects = node.on.check;

  const check = useCallback(async () => {
    for (let asked: string | undefined; asked !== latest.current; ) {
      asked = latest.current;
      const { reply } = await start(effects);
      if (reply?.Succeed && asked === latest.current) setVerdict(reply.Result as Verdict);
    }
  }, [start, effects]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each password is checked, after a pause.
  useEffect(() => {
    const timer = setTimeout(() => void check(), verdict ? pause : 0);
    return () => clearTimeout(timer);
  }, [password, check]);
  return verdict;
}

/**
 * Shows how a new password meets the rules while it is typed; changes are announced to screen readers once typing
 * pauses.
 */
export function Strength({ node, scope }: NodeProps<'strength'>): ReactNode {
  const password = String(useValue(node.path, scope) ?? '');
  const verdict = useVerdict({ node, scope }, password);
  const label = useText(node.label, node.values, scope);
  const strong = useText(node.strong, node.values, scope);
  const weak = useText(node.weak, node.values, scope);
  const met = useText(node.met, node.values, scope);
  const unmet = useText(node.unmet, node.values, scope);
  const isEmpty = password === '';
  const score = isEmpty ? 0 : (verdict?.score ?? 0);
  const isStrong = !isEmpty && (verdict?.isStrong ?? false);
  const rules = (verdict?.named ?? []).map(({ name, isMet }) => ({ name, isMet: isMet && !isEmpty }));
  const word = isStrong ? strong : weak;
  const open = rules.filter(({ isMet }) => !isMet).map(({ name }) => name);
  const said = [`${label}: ${word}.`, open.length > 0 && `${unmet}: ${open.join('; ')}.`].filter(Boolean).join(' ');

  return (
    <div className="strength" data-testid={node.testId}>
      <div className={`meter meter--${isStrong ? 'strong' : 'weak'}`}>
        <meter className="visually-hidden" aria-label={label} min={0} max={highest} value={score} />
        <div className="meter__bars" aria-hidden="true">
          {Array.from({ length: highest }, (_, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place.
            <span key={place} className={place < score ? 'is-on' : undefined} />
          ))}
        </div>
        <div className="meter__word">
          <span>{label}</span>
          <b>{!isEmpty && verdict && word}</b>
        </div>
      </div>
      <ul className="checklist">
        {rules.map(({ name, isMet }) => (
          <li key={name} className={isMet ? 'is-met' : undefined}>
            <Icon name={isMet ? 'check-circle' : 'minus'} />
            <span>
              {name}
              <span className="visually-hidden">, {isMet ? met : unmet}</span>
            </span>
          </li>
        ))}
      </ul>
      <p className="visually-hidden" role="status">
        {!isEmpty && verdict && said}
      </p>
    </div>
  );
}
