import type { Area } from '../area.ts';
import { siteTokens } from './migrations/196-site-tokens.ts';
import { liveChat } from './migrations/212-live-chat.ts';
import { addSitePages } from './pages.ts';
import { addSiteRoutes } from './routes.ts';
import './tables.ts';

/** Sites beside the portal that its people are signed in to by tokens, and stand-ins of these. */
export const sitesArea: Area = {
  name: 'sites',
  migrations: { '196-site-tokens': siteTokens, '212-live-chat': liveChat },
  routes: [addSiteRoutes],
  openRoutes: [addSitePages],
};
