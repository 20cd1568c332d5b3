import type { ReactElement } from 'react';
import { createRoot } from 'react-dom/client';
import { largeForm, smallForm } from '../browser/specimens.ts';
import { PlainForm } from './form.tsx';
import { PlainMatch } from './match.tsx';
import { PlainScreen } from './screen.tsx';
import { PlainTable } from './table.tsx';

const pages: Readonly<Record<string, () => ReactElement>> = {
  'small-form': () => <PlainForm fields={smallForm} onSubmit={() => undefined} />,
  'large-form': () => <PlainForm fields={largeForm} onSubmit={() => undefined} />,
  table: () => <PlainTable />,
  screen: () => <PlainScreen />,
  match: () => <PlainMatch />,
};

Object.assign(window, {
  mountBench: (name: string) => createRoot(document.getElementById('root')!).render(pages[name]!()),
});
