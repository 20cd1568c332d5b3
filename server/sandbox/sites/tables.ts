declare module '../tables.ts' {
  interface Tables {
    site_tokens: { id: string; site: string; expires: Date; used: boolean };
    forum_answers: { nonce: string; answered: Date };
    forum_questions: { nonce: string; asked: Date; name: string | null; cookie: string | null };
  }
}
