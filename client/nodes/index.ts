/**
 * Every node of the language, and what comes late. The portal's page takes `sign-in-nodes.ts` and loads the others when they are
 * needed.
 */
import './sign-in-nodes.ts';
import './signed-in-nodes.ts';
import { bringMenu } from '../look/menu-button.tsx';
import { MenuPanel } from '../look/menu-panel.tsx';
import { bringOver } from '../runtime/lazy-notices.tsx';
import * as over from '../runtime/notice-views.tsx';
import { bringNodes } from '../runtime/registry.ts';
import { bringPanel } from './bell/bell.tsx';
import { bringDrawing } from './chart/chart.tsx';
import { rareNode } from './lazy-nodes.ts';

bringMenu(async () => ({ MenuPanel }));
bringOver(async () => over);
bringPanel(() => import('./bell/panel.tsx'));
bringDrawing(() => import('./chart/drawing.tsx'));
bringNodes(async type => rareNode(type));
