import { brought } from './brought.tsx';

let bring: () => Promise<typeof import('./over-views.tsx')>;

/** Says where what comes over the page is loaded from: no page waits for it. */
export function bringOver(load: typeof bring): void {
  bring = load;
}

export const Outdated = brought(async () => (await bring()).Outdated);
export const QuestionView = brought(async () => (await bring()).QuestionView);
export const ToastView = brought(async () => (await bring()).ToastView);
