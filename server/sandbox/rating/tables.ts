export const features = ['KnowledgeBase', 'Tickets'] as const;
export type Feature = (typeof features)[number];

export const verdicts = ['Up', 'Down'] as const;
export type Verdict = (typeof verdicts)[number];

declare module '../tables.ts' {
  interface Tables {
    rating_features: { id: Feature; since: Date };
    ratings: { account_id: number; feature_id: Feature; rating: Verdict | null; comments: string; at: Date };
  }
}
