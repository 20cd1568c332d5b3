import type { Area } from '../area.ts';
import { answerSeededTickets } from './day.ts';
import { supportTickets } from './migrations/184-support-tickets.ts';
import { addDeskPage } from './page-routes.ts';
import { addTicketRoutes } from './routes.ts';
import { insertTickets } from './seed.ts';
import './tables.ts';

/** Support tickets, and when support is there (document 2, sections 2 and 7: Support). */
export const supportArea: Area = {
  name: 'support',
  migrations: { '184-support-tickets': supportTickets },
  seed: [{ name: 'support tickets', insert: insertTickets }],
  routes: [addTicketRoutes],
  openRoutes: [addDeskPage],
  day: answerSeededTickets,
};
