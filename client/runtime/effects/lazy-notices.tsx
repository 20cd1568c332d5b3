import type { ComponentType } from 'react';
import type { DocumentErrors } from '../../../shared/contract/realtime.ts';
import { lazyComponent } from '../state/lazy-component.tsx';
import type { Outdated, Question, Toast } from '../state/portal.ts';

type OverViews = {
  readonly OutdatedView: ComponentType<{ readonly outdated: Exclude<Outdated, undefined> }>;
  readonly DocumentErrorsNotice: ComponentType<{ readonly found: DocumentErrors }>;
  readonly Popups: ComponentType;
  readonly QuestionView: ComponentType<{ readonly question: Question }>;
  readonly ToastView: ComponentType<{ readonly said: Toast }>;
};

let bring: () => Promise<OverViews>;

/** Sets the function that loads toasts, confirmations and the offer of a newer build; no page waits for them. */
export function lazyLoadNotices(load: typeof bring): void {
  bring = load;
}

/** The offer to reload with a newer build, loaded when it is first drawn. */
export const OutdatedView = lazyComponent(async () => (await bring()).OutdatedView);
/** The list of errors in the layout documents, for those who edit them; loaded when it is first drawn. */
export const DocumentErrorsNotice = lazyComponent(async () => (await bring()).DocumentErrorsNotice);
/** The confirmation dialog, loaded when it is first drawn. */
export const QuestionView = lazyComponent(async () => (await bring()).QuestionView);
/** The open popups, loaded when the first is opened. */
export const Popups = lazyComponent(async () => (await bring()).Popups);
/** A toast, loaded when it is first drawn. */
export const ToastView = lazyComponent(async () => (await bring()).ToastView);
