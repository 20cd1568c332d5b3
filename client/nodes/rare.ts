import { registerAll } from '../runtime/registry.ts';
import { QrCode } from './qr-code.tsx';
import { Task } from './task.tsx';

/** The nodes of a few screens that one seldom sees; they load when first met. */
export const rare = { 'qr-code': QrCode, task: Task } as const;

registerAll(rare);
