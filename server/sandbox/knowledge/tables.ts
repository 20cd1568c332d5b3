import type { Generated } from 'kysely';

declare module '../tables.ts' {
  interface Tables {
    kb_categories: { id: string; parent: string | null; name: string; position: number };
    kb_articles: {
      id: Generated<number>;
      path: string;
      category: string;
      title: string;
      /** In small letters without accents, for words that are misspelt. */
      title_key: string;
      summary: string;
      content: string;
      plain: string;
      screens: string[];
      codes: string[];
      rights: string[];
      sides: string[];
      updated: string;
      words: string;
    };
    related_links: {
      product: string;
      position: number;
      article_path: string | null;
      title: string | null;
      url: string | null;
    };
    kb_openings: { account_id: number; article_id: number; opened: Date };
    kb_votes: { account_id: number; article_id: number; helpful: boolean };
    /** Words that were searched and not found, so that somebody writes about them. */
    kb_misses: { term: string; count: number; last: Date };
  }
}
