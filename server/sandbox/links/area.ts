import type { Area } from '../area.ts';
import { sendWaitingLinks } from './mails.ts';
import { links } from './migrations/011-links.ts';
import { addLinkRoutes } from './routes.ts';
import { insertLinks } from './seed.ts';
import './tables.ts';

/** The area of links in mails. */
export const linksArea: Area = {
  name: 'links',
  migrations: { '011-links': links },
  seed: [{ name: 'links', insert: (trx, { now }) => insertLinks(trx, now) }],
  openRoutes: [addLinkRoutes],
  start: (db, { portalUrl, now }) => sendWaitingLinks(db, portalUrl, now),
};
