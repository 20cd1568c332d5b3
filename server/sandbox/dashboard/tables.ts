declare module '../tables.ts' {
  interface Tables {
    quick_links: { account_id: number; chosen: string[] };
  }
}

export {};
