import type { ReactNode } from 'react';
import type { NodeProps } from '../../runtime/page/registry.ts';
import { useSpeech } from '../../runtime/state/values.ts';
import { SearchBox } from '../search-box.tsx';

/** A filter whose choices are found by typing; emptied, it narrows nothing, as its first option says. */
export function FilterSearch({ node, scope }: NodeProps<'filter'>): ReactNode {
  const { word } = useSpeech();
  const { search, label, values, testId, path, rows, key, titlePath, options, resets } = node;
  if (search === undefined || rows === undefined || key === undefined || titlePath === undefined) return null;
  const inner = {
    ...({ type: 'combobox', id: path, path, searchPath: search.path, label, rows, key, titlePath } as const),
    ...(values && { values }),
    ...(testId && { testId }),
    ...(options?.[0] && { placeholder: options[0].text }),
    ...(search.total && { totalPath: search.total }),
    emptyText: word('filter.none'),
  };
  return <SearchBox node={inner} scope={scope} filter={{ resets, chosen: search.chosen }} />;
}
