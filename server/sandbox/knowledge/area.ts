import type { Area } from '../area.ts';
import { knowledge } from './migrations/190-knowledge.ts';
import { relatedLinks } from './migrations/198-related-links.ts';
import { addMissesPage } from './misses-page.ts';
import { addProductRoutes } from './product-routes.ts';
import { refreshKnowledge } from './refresh.ts';
import { addKnowledgeRoutes } from './routes.ts';
import './tables.ts';

/** The knowledge base: articles by category, search, and what was searched in vain. */
export const knowledgeArea: Area = {
  name: 'knowledge',
  migrations: { '190-knowledge': knowledge, '198-related-links': relatedLinks },
  refresh: refreshKnowledge,
  routes: [addKnowledgeRoutes, addProductRoutes],
  openRoutes: [addMissesPage],
};
