/** A field of a dynamic form (document 2, section 3). Type: text 1, password 2. */
export type FormField = {
  readonly PropertyName: string;
  readonly Label: string;
  readonly Type: 1 | 2;
  readonly Mandatory: boolean;
  readonly Regex?: string;
  readonly InvalidMessage?: string;
  readonly ToolTip?: string;
  readonly Message?: string;
};

export type Form = {
  readonly fields: readonly FormField[];
  /** What the sender is told. */
  readonly thanks: (answers: Readonly<Record<string, string>>) => string;
};

const phone = '^(0|(00|\\+)\\d{1,4} ?)(\\d{10}|\\d{4} \\d{3} \\d{3})$';

/** The forms by id. A form's checks run here again, whatever the page has checked. */
export const forms: ReadonlyMap<string, Form> = new Map<string, Form>([
  [
    'callback-request',
    {
      fields: [
        { PropertyName: 'Name', Label: 'Your name', Type: 1, Mandatory: true },
        {
          PropertyName: 'Phone',
          Label: 'Phone number',
          Type: 1,
          Mandatory: true,
          Regex: phone,
          InvalidMessage: 'Must be a phone number, such as 01632960123',
        },
        {
          PropertyName: 'Topic',
          Label: 'What is it about?',
          Type: 1,
          Mandatory: true,
          Regex: '^.{3,200}$',
          InvalidMessage: 'Must have 3 to 200 characters',
          ToolTip: 'A few words help us to have the right person call.',
        },
        {
          PropertyName: 'BestTime',
          Label: 'Best time to call',
          Type: 1,
          Mandatory: false,
          Regex: '^([01]\\d|2[0-3]):[0-5]\\d$',
          InvalidMessage: 'Must be a time, such as 14:30',
          Message: 'We call between 08:00 and 18:00.',
        },
      ],
      thanks: ({ Phone, BestTime }) =>
        `Thank you. We will call ${Phone}${BestTime ? ` at about ${BestTime}` : ' soon'}.`,
    },
  ],
  [
    'exchange-migration',
    {
      fields: [
        {
          PropertyName: 'ServerName',
          Label: 'Source server',
          Type: 1,
          Mandatory: true,
          Regex: '^[A-Za-z0-9.-]{1,253}$',
          InvalidMessage: 'Must be the name of a server, such as mail.contoso.test',
          ToolTip: 'The server that the mailboxes are moved from.',
        },
        { PropertyName: 'AdminUser', Label: 'Administrator', Type: 1, Mandatory: true },
        {
          PropertyName: 'AdminPassword',
          Label: 'Password',
          Type: 2,
          Mandatory: true,
          Message: 'Used for this migration only.',
        },
        { PropertyName: 'Notes', Label: 'Notes', Type: 1, Mandatory: false },
      ],
      thanks: ({ ServerName }) =>
        `The migration from ${ServerName} was requested. We will write to you when it starts.`,
    },
  ],
]);
