/** Every node of the language. The portal's page takes `first.ts` and loads `more.ts` when it is needed. */
import './first.ts';
import './more.ts';
import './rare.ts';
import { bringPanel } from './bell.tsx';

bringPanel(() => import('./bell-panel.tsx'));
