import type { ComponentType } from 'react';
import { fetchModule, lazyComponent } from './lazy-component.tsx';
import type { Outdated, Question, Toast } from './portal.ts';

type OverViews = {
  readonly OutdatedView: ComponentType<{ readonly outdated: Exclude<Outdated, undefined> }>;
  readonly QuestionView: ComponentType<{ readonly question: Question }>;
  readonly ToastView: ComponentType<{ readonly said: Toast }>;
};

let bring: () => Promise<OverViews>;

/** Sets the function that loads toasts, questions and the offer of a newer build; no page waits for them. */
export function lazyLoadNotices(load: typeof bring): void {
  bring = load;
}

export const OutdatedView = lazyComponent(async () => (await bring()).OutdatedView);
/** In a file of its own: pages in production never meet it. */
export const DocumentErrorsNotice = lazyComponent(
  async () => (await fetchModule(() => import('./document-errors-notice.tsx'))).DocumentErrorsNotice,
);
export const QuestionView = lazyComponent(async () => (await bring()).QuestionView);
export const ToastView = lazyComponent(async () => (await bring()).ToastView);
