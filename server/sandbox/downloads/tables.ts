declare module '../tables.ts' {
  interface Tables {
    file_links: { hash: string; download_id: string; account_id: number; expires: Date };
  }
}
