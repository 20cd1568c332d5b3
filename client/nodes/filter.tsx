import { type ReactNode, useId, useLayoutEffect } from 'react';
import { readPath } from '../../shared/rules/path.ts';
import { Icon } from '../look/icon.tsx';
import { partId } from '../look/part-id.ts';
import { usePlace } from '../runtime/effects/navigation.tsx';
import type { NodeProps } from '../runtime/page/registry.ts';
import { type TabItem, TabList } from '../runtime/page/tab-list.tsx';
import { lazyComponent } from '../runtime/state/lazy-component.tsx';
import { rowsOf } from '../runtime/state/scope.ts';
import { useSpeech } from '../runtime/state/values.ts';
import { loadListTools } from './table/lazy-work.ts';

const FilterSearch = lazyComponent<NodeProps<'filter'>>(
  async () => (await loadListTools()).FilterSearch,
  <span style={{ width: '13rem' }} />,
);

/**
 * One choice that filters a list: tabs with counts, a select or segments. The choice is kept in the address or the
 * page's state; a data source can give further options.
 */
export function Filter(props: NodeProps<'filter'>): ReactNode {
  return props.node.search ? <FilterSearch {...props} /> : <Choice {...props} />;
}

function Choice({ node, scope }: NodeProps<'filter'>): ReactNode {
  const id = useId();
  const [value, set] = usePlace(node.path, node.resets);
  const [followed] = usePlace(node.follows);
  const [, follow] = usePlace(node.path);
  useLayoutEffect(() => {
    if (node.follows !== undefined) follow(followed);
  }, [node.follows, followed, follow]);
  const speech = useSpeech();
  const label = speech.text(node.label, node.values, scope);
  const items: TabItem[] = (node.options ?? []).map(option => ({
    value: option.value,
    text: speech.text(option.text, node.values, scope),
    count: option.count && speech.format(readPath(scope, option.count), 'number'),
    testId: option.testId,
  }));
  for (const row of rowsOf(node.rows && readPath(scope, node.rows)) ?? []) {
    const title = readPath({ row }, node.titlePath ?? '');
    const text = speech.format(title, node.format);
    items.push({ value: String(node.key ? row[node.key] : title), text, count: undefined, testId: undefined });
  }
  const selected = (items.find(item => item.value === String(value ?? '')) ?? items[0])?.value ?? '';
  const select = (next: string, isKey: boolean) => set(next === '' ? undefined : next, { replace: isKey });

  if (node.look === 'select') {
    const isOn = selected !== items[0]?.value;
    return (
      <label className={isOn ? 'chip chip--on' : 'chip'}>
        {label}: <b aria-hidden="true">{items.find(item => item.value === selected)?.text}</b>
        <Icon name="chevron-down" />
        <select
          aria-label={label}
          value={selected}
          data-testid={node.testId}
          onChange={event => select(event.target.value, false)}
        >
          {items.map(item => (
            <option key={item.value} value={item.value} data-testid={item.testId}>
              {item.count ? `${item.text} (${item.count})` : item.text}
            </option>
          ))}
        </select>
      </label>
    );
  }
  if (node.look === 'segments') {
    return (
      // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields of a form.
      <div className="segments" role="group" aria-label={label} data-testid={node.testId}>
        {items.map(item => (
          <button
            key={item.value}
            type="button"
            aria-pressed={item.value === selected}
            data-testid={item.testId ?? partId(node.testId, item.value)}
            onClick={() => select(item.value, false)}
          >
            {item.text}
            {item.count && <span className="count">{item.count}</span>}
          </button>
        ))}
      </div>
    );
  }
  return (
    <TabList
      label={label}
      items={items}
      selected={selected}
      id={id}
      hasPanel={false}
      testId={node.testId}
      onSelect={select}
    />
  );
}
