import type { Area } from '../area.ts';
import { fileLinks } from './migrations/199-file-links.ts';
import { addDownloadRoutes } from './routes.ts';
import './tables.ts';

/** Files that everybody may load who has a use for them, by links of one second (document 2, section 7: Download). */
export const downloadsArea: Area = {
  name: 'downloads',
  migrations: { '199-file-links': fileLinks },
  routes: [addDownloadRoutes],
};
