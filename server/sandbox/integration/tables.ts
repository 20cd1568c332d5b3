declare module '../tables.ts' {
  interface Tables {
    integration_checks: { reseller_id: number; guide: string; checked: Date; answers: boolean };
  }
}
