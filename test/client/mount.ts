import '../dom.ts';
import { act } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { type EmbeddedCall, type MountOptions, mountLayout } from '../../client/embed.ts';
import { keepFocus } from '../../client/runtime/page/focus-keeper.ts';
import type { Envelope } from '../../shared/contract/envelope.ts';
import type { LayoutText, Node, ScreenLayout } from '../../shared/language/types.ts';

/** The runtime's words as tests read them. */
export const words: Readonly<Record<string, LayoutText>> = {
  'form.required': '{{field}} is required',
  'form.checkbox': 'This is required',
  'form.invalid': 'Must be the correct format',
  'form.number': 'Must be a number',
  'form.digits': 'Must contain only digits',
  'form.email': 'Must be a valid email address',
  'form.minLength': 'Must be a minimum of {{count}} character(s)',
  'form.maxLength': 'Must be a maximum of {{count}} character(s)',
  'form.optional': 'Optional',
  'form.showPassword': 'Show password',
  'error.unexpected': 'Something went wrong. Please try again.',
  'error.node': 'This part cannot be shown.',
  'joined.failed': 'Some values could not be read: {{reason}}',
  'joined.most': 'Some values are read for the first {{count}} rows only.',
  'error.changed': 'This page has changed. Check it and try again.',
  'error.reference': 'Reference: {{reference}}',
  'error.offline': 'There is no connection. Nothing was lost; try again.',
  'error.timeout': 'The server did not answer in time. Nothing was lost; try again.',
  'unknown.text': 'Nobody knows whether this was done. Look first.',
  'unknown.check': 'Check now',
  'unknown.checked': 'This is what is there.',
  'fault.ticket': 'Write a ticket',
  'filter.more': '{{count}} more',
  'filter.none': 'Nothing matches',
  'confirm.cancel': 'Cancel',
  'toast.undo': 'Undo',
  'toast.dismiss': 'Dismiss',
  'popup.close': 'Close',
  'update.title': 'A new version is ready',
  'update.needed': 'This needs the new version',
  'update.reload': 'Reload',
  'update.later': 'Later',
  'leave.title': 'Leave without saving?',
  'leave.text': 'What you have changed will be lost.',
  'leave.go': 'Leave',
  'leave.stay': 'Stay',
  'table.actions': 'Actions',
  'bulk.actions': 'Actions for the selected rows',
  'bulk.cancel': 'Cancel',
  'bulk.stop': 'Stop',
  'bulk.stopping': 'Stopping',
  'bulk.close': 'Close',
  'bulk.goOn': 'Go on with {{count}}',
  'bulk.retry': 'Retry {{count}} that failed',
  'bulk.undo': 'Undo',
  'bulk.csv': 'Download results (CSV)',
  'bulk.leftOut': '{{count}} left out',
  'bulk.progress': '{{done}} of {{count}}',
  'bulk.running': 'Under way',
  'bulk.summary': '{{done}} done, {{failed}} failed, {{left}} not started',
  'bulk.waiting': 'Waiting',
  'bulk.done': 'Done',
  'bulk.undone': 'Taken back',
  'bulk.failed': 'Failed',
  'bulk.unknown': 'Not known',
  'bulk.out': 'Left out',
  'view.clearFilters': 'Clear filters',
  'bulk.clearSelection': 'Clear selection',
  'view.columns': 'Columns',
  'view.comfortable': 'Comfortable',
  'view.compact': 'Compact',
  'view.copyLink': 'Copy link to this view',
  'view.display': 'Display',
  'view.rowHeight': 'Row height',
  'view.save': 'Save this view',
  'view.saved': 'Saved views',
  'bulk.selectPage': 'Select all on this page',
  'bulk.selectRow': 'Select {{name}}',
  'bulk.selectMatching': 'Select all {{count}} that match',
  'bulk.selectFirst': 'Select the first {{count}} that match',
  'bulk.selected': '{{count}} selected',
  'table.total': 'Total',
  'view.name': 'Name of the view',
  'view.title': 'Views',
  'table.failed': '{{label}} failed to load',
  'table.loading': 'Loading {{label}}',
  'table.range': '{{from}}–{{to}} of {{count}}',
  'table.rangeOfMore': '{{from}}–{{to}} of {{count}}+',
  'table.previous': 'Previous page',
  'table.next': 'Next page',
  'table.size': 'Rows per page',
  'table.sortBy': 'Sort by',
  'table.ascending': '{{column}}, ascending',
  'table.descending': '{{column}}, descending',
  'table.perPage': '{{count}} per page',
  'delivered.submit': 'Submit',
  'delivered.done': 'Done',
  retry: 'Try again',
  waiting: 'Loading',
  yes: 'Yes',
  no: 'No',
};

export type Mounted = {
  readonly user: ReturnType<typeof userEvent.setup>;
  readonly element: HTMLElement;
  /** Every call so far. */
  readonly calls: EmbeddedCall[];
  unmount(): void;
};

type Options = Omit<Partial<MountOptions>, 'layout'> & {
  readonly layout?: Partial<ScreenLayout>;
  /** Replies of calls, in order; the last one stays. */
  readonly replies?: readonly Envelope[];
};

/** Draws nodes through `mountLayout`, as a page without a portal does. */
export async function mount(
  children: readonly Node[],
  { layout, replies = [{ Succeed: true }], ...options }: Options = {},
): Promise<Mounted> {
  const element = document.createElement('div');
  document.body.append(element);
  const calls: EmbeddedCall[] = [];
  const left = [...replies];
  let end = () => {};
  const endKeeping = keepFocus();
  await act(async () => {
    end = mountLayout(element, {
      layout: { kind: 'screen', id: 'here', route: '/', title: 'Here', ...layout, children },
      text: words,
      onCall: async call => {
        calls.push(call);
        return (left.length > 1 ? left.shift() : left[0]) as Envelope;
      },
      ...options,
    });
  });
  return {
    user: userEvent.setup(),
    element,
    calls,
    unmount() {
      act(end);
      endKeeping();
      element.remove();
    },
  };
}
