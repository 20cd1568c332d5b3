import type { ColumnType, Generated } from 'kysely';
import type { UserType } from '../auth/words.ts';

export type Category = 'info' | 'success' | 'warning' | 'danger';

declare module '../tables.ts' {
  interface Tables {
    notifications: {
      id: Generated<number>;
      account_id: number;
      created: Date;
      service_name: string;
      message: string;
      content: string;
      category: Category;
      organisation_id: ColumnType<number | null, number | null | undefined>;
      instance_id: ColumnType<number | null, number | null | undefined>;
      /** The request for a right that it is about. */
      request_id: ColumnType<number | null, number | null | undefined>;
      /** The act that waits, or waited, for approval. */
      approval_id: ColumnType<number | null, number | undefined>;
      ticket_id: ColumnType<number | null, number | undefined>;
      status: ColumnType<'new' | 'read', 'new' | 'read' | undefined>;
    };
    notification_ways: {
      account_id: number;
      category: Category;
      bell: boolean;
      mail: boolean;
      digest: boolean;
      /** When the link of a mail turned it off; null where it is on, or was turned off otherwise. */
      mail_stopped: ColumnType<Date | null, Date | null | undefined>;
      digest_stopped: ColumnType<Date | null, Date | null | undefined>;
    };
    notification_digests: {
      id: Generated<number>;
      account_id: number;
      created: Date;
      message: string;
      organisation_id: number | null;
    };
    announcements: { id: Generated<number>; content: string; category: Category; user_types: UserType[] };
    product_announcements: {
      id: Generated<number>;
      published: Date;
      until: ColumnType<Date | null, Date | null | undefined>;
      title: string;
      content: string;
      button_text: string;
      button_route: string;
      user_types: UserType[];
      views: ColumnType<string[], string[] | undefined>;
      permissions: ColumnType<string[], string[] | undefined>;
    };
    product_announcement_answers: { account_id: number; announcement_id: number; remind: Date | null };
    announcement_closings: { account_id: number; announcement_id: number };
  }
}
