import type { Area } from '../area.ts';
import { timeOf } from '../days.ts';
import { answerSeededTickets } from './day.ts';
import { addFileRoutes } from './file-routes.ts';
import { dropWaiting } from './files.ts';
import { supportTickets } from './migrations/184-support-tickets.ts';
import { ticketFiles } from './migrations/192-ticket-files.ts';
import { ticketLists } from './migrations/196-ticket-lists.ts';
import { addDeskPage } from './page-routes.ts';
import { addTicketRoutes } from './routes.ts';
import { insertTickets } from './seed.ts';
import './tables.ts';

/** Support tickets, and when support is there (document 2, sections 2 and 7: Support). */
export const supportArea: Area = {
  name: 'support',
  migrations: {
    '184-support-tickets': supportTickets,
    '192-ticket-files': ticketFiles,
    '196-ticket-lists': ticketLists,
  },
  seed: [{ name: 'support tickets', insert: insertTickets }],
  routes: [addTicketRoutes, addFileRoutes],
  openRoutes: [addDeskPage],
  start: (db, { now }) => dropWaiting(db, now),
  day: async (trx, day) => {
    await answerSeededTickets(trx, day);
    await dropWaiting(trx, timeOf(day, 0));
  },
};
