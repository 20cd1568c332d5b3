/** Gathers the code that a page needs only after its first paint. */
export { refreshOperations, Sources } from '../data/sources.tsx';
export { sendPress } from '../effects/press-keys.ts';
export { TicketLink } from '../effects/ticket-link.tsx';
export { UnknownActions } from '../effects/unknown-actions.tsx';
export { applyBoot } from './apply-boot.ts';
