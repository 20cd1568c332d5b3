/**
 * Every node of the language, and what comes late. The portal's page takes `first.ts` and loads the others when they are
 * needed.
 */
import './first.ts';
import './more.ts';
import { bringMenu } from '../look/menu-button.tsx';
import { MenuPanel } from '../look/menu-panel.tsx';
import { bringOver } from '../runtime/over.tsx';
import * as over from '../runtime/over-views.tsx';
import { bringNodes } from '../runtime/registry.ts';
import { bringPanel } from './bell.tsx';
import { bringDrawing } from './chart.tsx';
import { rareNode } from './rare.ts';

bringMenu(async () => ({ MenuPanel }));
bringOver(async () => over);
bringPanel(() => import('./bell-panel.tsx'));
bringDrawing(() => import('./chart-drawing.tsx'));
bringNodes(async type => rareNode(type));
