import type { Area } from '../area.ts';
import { addHostedExchangeRoutes } from './routes.ts';

/** The mail of a customer as a whole: its mailboxes and aliases, what its organisation has set. */
export const hostedExchangeArea: Area = {
  name: 'hosted-exchange',
  routes: [addHostedExchangeRoutes],
};
