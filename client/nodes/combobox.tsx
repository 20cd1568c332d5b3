import type { ReactNode } from 'react';
import type { NodeProps } from '../runtime/page/registry.ts';
import { SearchBox } from './search-box.tsx';

/** One item of a list, found by typing. */
export const Combobox = (props: NodeProps<'combobox'>): ReactNode => <SearchBox {...props} />;
