import type { Need } from '../auth/needs.ts';
import { permission, view } from '../auth/needs.ts';
import type { Action } from '../customers/activity.ts';

export type Value = string | number | boolean;

/** Document 2, section 3: the types of a generic popup's items. */
export const itemType = {
  subHeader: 1,
  textDisplay: 2,
  textInput: 3,
  number: 4,
  email: 5,
  checkbox: 6,
  htmlDisplay: 7,
} as const;

export type Item = {
  readonly DataItem: string;
  readonly Label: string;
  readonly Type: (typeof itemType)[keyof typeof itemType];
  readonly Regex?: string;
  readonly RegexError?: string;
  readonly RequiredValue?: Value;
};

/** Type: hide 1, disable 2; while the first item has the value. */
export type Dependency = {
  readonly PropertyDataItem: string;
  readonly PropertyDataItemDependencyValue: Value;
  readonly DependentPropertyDataItem: string;
  readonly Type: 1 | 2;
};

export type Popup = {
  readonly title: string;
  readonly method: 'put' | 'post' | 'delete';
  readonly needs: Need;
  readonly items: readonly Item[];
  readonly dependencies: readonly Dependency[];
  readonly updateEvent: string;
  /** The popup's own data until somebody has said otherwise; a delete empties them. */
  readonly initial: Readonly<Record<string, Value>>;
  readonly done: { readonly action: Action; readonly message: string };
};

const html = `<p>This <strong>cannot be undone</strong>.</p><script>document.title='run'</script><img src="x" onerror="alert(1)"><a href="javascript:alert(1)">More</a>`;

/** Of an item that must be filled in: a pattern tests a blank value too. */
const filled = '^.+$';

const confirmation = {
  DataItem: 'Confirmation',
  Label: 'Type DELETE to go on',
  Type: itemType.textInput,
  RequiredValue: 'DELETE',
  RegexError: 'Must be DELETE',
} as const;

/** The popups by id; all are about one customer. Some text is hostile on purpose: what arrives here is not trusted. */
export const popups: ReadonlyMap<string, Popup> = new Map<string, Popup>([
  [
    'contact-details',
    {
      title: 'Contact details',
      method: 'put',
      needs: permission('addOrEditCustomers'),
      items: [
        { DataItem: 'MainContact', Label: 'Main contact', Type: itemType.subHeader },
        { DataItem: 'CustomerName', Label: 'Customer', Type: itemType.textDisplay },
        {
          DataItem: 'ContactName',
          Label: 'Name',
          Type: itemType.textInput,
          Regex: '^[^<>]{1,100}$',
          RegexError: 'Must have 1 to 100 characters, without < and >',
        },
        {
          DataItem: 'ContactEmail',
          Label: 'Email',
          Type: itemType.email,
          Regex: filled,
          RegexError: 'Must be a valid email address',
        },
        { DataItem: 'ByPhone', Label: 'Can be reached by phone', Type: itemType.checkbox },
        {
          DataItem: 'Phone',
          Label: 'Phone number',
          Type: itemType.textInput,
          Regex: '^(0|(00|\\+)\\d{1,4} ?)(\\d{10}|\\d{4} \\d{3} \\d{3})$',
          RegexError: 'Must be a phone number, such as 01632960123',
        },
        { DataItem: 'Invoices', Label: 'Invoices', Type: itemType.subHeader },
        { DataItem: 'InvoiceToContact', Label: 'Send invoices to the main contact', Type: itemType.checkbox },
        { DataItem: 'InvoiceEmail', Label: 'Send invoices to', Type: itemType.email },
        {
          DataItem: 'Employees',
          Label: 'Number of employees',
          Type: itemType.number,
          Regex: '^[0-9]{1,6}$',
          RegexError: 'Must be a whole number',
        },
      ],
      dependencies: [
        hide('ByPhone', false, 'Phone'),
        {
          PropertyDataItem: 'InvoiceToContact',
          PropertyDataItemDependencyValue: true,
          DependentPropertyDataItem: 'InvoiceEmail',
          Type: 2,
        },
      ],
      updateEvent: 'customer-changed|contact-changed',
      initial: { ByPhone: true, InvoiceToContact: true, InvoiceEmail: '', Employees: 10 },
      done: { action: 'Contact details changed', message: 'The contact details were saved.' },
    },
  ],
  [
    'mail-forwarding',
    {
      title: 'Mail forwarding',
      method: 'post',
      needs: view('customerUsers'),
      items: [
        { DataItem: 'Enabled', Label: 'Forward mail of the whole domain', Type: itemType.checkbox },
        {
          DataItem: 'ForwardTo',
          Label: 'Forward to',
          Type: itemType.email,
          Regex: filled,
          RegexError: 'Must be a valid email address',
        },
        { DataItem: 'KeepCopy', Label: 'Keep a copy here', Type: itemType.checkbox },
        { DataItem: 'Note', Label: 'Note', Type: itemType.textInput, Regex: '^.{0,200}$', RegexError: 'Is too long' },
      ],
      dependencies: [hide('Enabled', false, 'ForwardTo'), hide('Enabled', false, 'KeepCopy')],
      updateEvent: 'mail-forwarding-changed',
      initial: { Enabled: false, ForwardTo: '', KeepCopy: true, Note: '' },
      done: { action: 'Mail forwarding changed', message: 'Mail forwarding was saved.' },
    },
  ],
  [
    'remove-address-book-photo',
    {
      title: 'Remove the photo',
      method: 'delete',
      needs: permission('addOrEditCustomers'),
      items: [{ DataItem: 'Warning', Label: html, Type: itemType.htmlDisplay }, confirmation],
      dependencies: [],
      updateEvent: 'address-book-changed',
      initial: { Photo: 'photo.png' },
      done: { action: 'Address book photo removed', message: 'The photo was removed.' },
    },
  ],
  [
    'close-account-note',
    {
      title: 'Close the account note',
      method: 'delete',
      needs: permission('addOrEditCustomers'),
      items: [{ DataItem: 'Note', Label: 'The note', Type: itemType.htmlDisplay }, confirmation],
      dependencies: [],
      updateEvent: 'account-note-changed',
      initial: { Note: html },
      done: { action: 'Account note removed', message: 'The account note was closed.' },
    },
  ],
]);

function hide(PropertyDataItem: string, value: Value, DependentPropertyDataItem: string): Dependency {
  return { PropertyDataItem, PropertyDataItemDependencyValue: value, DependentPropertyDataItem, Type: 1 };
}
