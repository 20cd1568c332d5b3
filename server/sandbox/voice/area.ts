import type { Area } from '../area.ts';
import { voice } from './migrations/020-voice.ts';
import { voiceCompletion } from './migrations/096-voice-completion.ts';
import { addVoiceRoutes } from './routes.ts';
import { insertVoiceCatalogue, insertVoiceOrders } from './seed.ts';
import './tables.ts';

/** Hosted voice and its hardware. */
export const voiceArea: Area = {
  name: 'voice',
  migrations: { '020-voice': voice, '096-voice-completion': voiceCompletion },
  seed: [{ name: 'voice orders', insert: (trx, { now }) => insertVoiceOrders(trx, now) }],
  refresh: insertVoiceCatalogue,
  routes: [addVoiceRoutes],
};
