import type { Area } from '../area.ts';
import { createMailer } from './mailer.ts';
import { addOutboxRoutes } from './routes.ts';
import './tables.ts';

/** Mails on their way. */
export const outboxArea: Area = {
  name: 'outbox',
  openRoutes: [addOutboxRoutes],
  tick: ({ db, mail, now }) => mail && createMailer(db, mail, now),
};
