/** What comes over the page when something happens. For the app's name here see `signed-in.ts`. */
export { start } from './app.tsx';
export { DocumentErrorsNotice } from './runtime/effects/document-errors-notice.tsx';
export { OutdatedView, QuestionView, ToastView } from './runtime/effects/notice-views.tsx';
export { Popups } from './runtime/page/popups.tsx';
