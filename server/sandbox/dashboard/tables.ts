export interface DashboardTables {
  quick_links: { account_id: number; chosen: string[] };
}
