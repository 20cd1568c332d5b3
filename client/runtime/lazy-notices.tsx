import type { ComponentType } from 'react';
import { brought } from './lazy-component.tsx';
import type { Question, Toast } from './portal.ts';

type OverViews = {
  readonly Outdated: ComponentType;
  readonly QuestionView: ComponentType<{ readonly question: Question }>;
  readonly ToastView: ComponentType<{ readonly said: Toast }>;
};

let bring: () => Promise<OverViews>;

/** Says where what comes over the page is loaded from: no page waits for it. */
export function lazyLoadNotices(load: typeof bring): void {
  bring = load;
}

export const Outdated = brought(async () => (await bring()).Outdated);
export const QuestionView = brought(async () => (await bring()).QuestionView);
export const ToastView = brought(async () => (await bring()).ToastView);
