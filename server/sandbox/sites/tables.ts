import type { Generated } from 'kysely';

declare module '../tables.ts' {
  interface Tables {
    site_tokens: { id: string; site: string; expires: Date; used: boolean };
    chat_visits: { key: string; account_id: number; expires: Date };
    chat_messages: { id: Generated<number>; account_id: number; at: Date; by_agent: boolean; content: string };
    forum_answers: { nonce: string; answered: Date };
    forum_questions: { nonce: string; asked: Date; name: string | null; cookie: string | null };
  }
}
