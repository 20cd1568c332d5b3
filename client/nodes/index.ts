/** Every node of the language. The portal's page takes `first.ts` and loads `more.ts` when it is needed. */
import './first.ts';
import './more.ts';
import { bringNodes } from '../runtime/registry.ts';
import { bringPanel } from './bell.tsx';
import { bringDrawing } from './chart.tsx';
import { rareNode } from './rare.ts';

bringPanel(() => import('./bell-panel.tsx'));
bringDrawing(() => import('./chart-drawing.tsx'));
bringNodes(async type => rareNode(type));
