import type { ComponentType } from 'react';
import { lazyComponent } from './lazy-component.tsx';
import type { Question, Toast } from './portal.ts';

type OverViews = {
  readonly Outdated: ComponentType;
  readonly QuestionView: ComponentType<{ readonly question: Question }>;
  readonly ToastView: ComponentType<{ readonly said: Toast }>;
};

let bring: () => Promise<OverViews>;

/** Sets the function that loads toasts, questions and the offer of a newer build; no page waits for them. */
export function lazyLoadNotices(load: typeof bring): void {
  bring = load;
}

export const Outdated = lazyComponent(async () => (await bring()).Outdated);
export const QuestionView = lazyComponent(async () => (await bring()).QuestionView);
export const ToastView = lazyComponent(async () => (await bring()).ToastView);
