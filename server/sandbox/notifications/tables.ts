import type { ColumnType, Generated } from 'kysely';
import type { UserType } from '../auth/words.ts';

export type Category = 'info' | 'success' | 'warning' | 'danger';

export interface NotificationsTables {
  notifications: {
    id: Generated<number>;
    account_id: number;
    created: Date;
    service_name: string;
    message: string;
    content: string;
    category: Category;
    status: ColumnType<'new' | 'read', 'new' | 'read' | undefined>;
  };
  announcements: { id: Generated<number>; content: string; category: Category; user_types: UserType[] };
  announcement_closings: { account_id: number; announcement_id: number };
}
