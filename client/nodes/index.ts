/**
 * Every node of the language, and what comes late. The portal's page takes `sign-in-nodes.ts` and loads the others when they are
 * needed.
 */
import './header-nodes.ts';
import './sign-in-nodes.ts';
import './signed-in-nodes.ts';
import { lazyLoadMenu } from '../look/menu-button.tsx';
import { MenuPanel } from '../look/menu-panel.tsx';
import { DocumentErrorsNotice } from '../runtime/effects/document-errors-notice.tsx';
import { lazyLoadNotices } from '../runtime/effects/lazy-notices.tsx';
import * as over from '../runtime/effects/notice-views.tsx';
import { Popups } from '../runtime/page/popups.tsx';
import { lazyLoadNodes } from '../runtime/page/registry.ts';
import { lazyLoadPanel } from './bell/bell.tsx';
import { lazyLoadDrawing } from './chart/chart.tsx';
import { rareNode } from './lazy-nodes.ts';
import { lazyLoadListTools, lazyLoadTableWork } from './table/lazy-work.ts';

lazyLoadMenu(async () => ({ MenuPanel }));
lazyLoadNotices(async () => ({ ...over, DocumentErrorsNotice, Popups }));
lazyLoadPanel(() => import('./bell/panel.tsx'));
lazyLoadDrawing(() => import('./chart/drawing.tsx'));
lazyLoadListTools(async () => ({
  ...(await import('./list-tools/tools.tsx')),
  ...(await import('./list-tools/filter-search.tsx')),
}));
lazyLoadTableWork(async () => ({
  ...(await import('./bulk/bulk-bar.tsx')),
  ...(await import('./list-tools/save-view.tsx')),
}));
lazyLoadNodes(async type => rareNode(type));
