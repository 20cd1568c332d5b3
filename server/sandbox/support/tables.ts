import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

export const priorities = ['Low', 'Normal', 'High', 'Urgent'] as const;
export type Priority = (typeof priorities)[number];

/** Open: support is to answer; Waiting: support has asked something. */
export const ticketStates = ['Open', 'Waiting', 'Answered', 'Closed'] as const;
export type TicketState = (typeof ticketStates)[number];

/** Of these, Answer and Question are support's. */
export const messageKinds = ['Opened', 'Reply', 'Reopened', 'Answer', 'Question', 'Closed'] as const;
export type MessageKind = (typeof messageKinds)[number];

declare module '../tables.ts' {
  interface Tables {
    tickets: {
      id: Generated<number>;
      reseller_id: number;
      customer_id: string | null;
      user_id: number | null;
      account_id: number | null;
      author: string;
      author_customer_id: string | null;
      product: Generated<string>;
      subject: string;
      priority: Priority;
      status: TicketState;
      created: Date;
      updated: Date;
      closed: ColumnType<Date | null, Date | null | undefined>;
      screen: Generated<string>;
      reference: Generated<string>;
      failure: Generated<string>;
      phone: Generated<string>;
      is_simulated: Generated<boolean>;
      /** Kept by the database. */
      customer_name: GeneratedAlways<string | null>;
      search_text: GeneratedAlways<string>;
      urgency: GeneratedAlways<number>;
    };
    ticket_messages: {
      id: Generated<number>;
      ticket_id: number;
      at: Date;
      account_id: number | null;
      author: string;
      kind: MessageKind;
      content: Generated<string>;
    };
    ticket_files: {
      id: Generated<number>;
      account_id: number | null;
      author: string;
      ticket_id: number | null;
      origin: Generated<string>;
      message_id: ColumnType<number | null, number | null | undefined>;
      name: string;
      type: string;
      bytes: Generated<number>;
      is_whole: Generated<boolean>;
      sent: Date;
    };
    ticket_file_parts: { file_id: number; number: number; content: Buffer };
  }
}
