import type { Area } from '../area.ts';
import { mailSettings } from './migrations/240-mail-settings.ts';
import { addHostedExchangeRoutes } from './routes.ts';
import './tables.ts';

/** The mail of a customer as a whole: its mailboxes and aliases, what its organisation has set. */
export const hostedExchangeArea: Area = {
  name: 'hosted-exchange',
  migrations: { '240-mail-settings': mailSettings },
  routes: [addHostedExchangeRoutes],
};
