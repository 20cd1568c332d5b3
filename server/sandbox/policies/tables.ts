import type { Generated } from 'kysely';

declare module '../tables.ts' {
  interface Tables {
    policies: { id: string; title: string; position: number };
    policy_sections: {
      policy_id: string;
      position: number;
      type: number;
      content: string;
      content_label: Generated<string>;
      anchor_value: Generated<string>;
      anchor_text: Generated<string>;
      nesting_level: Generated<number>;
    };
    opt_outs: { account_id: number; newsletter: boolean; offers: boolean; surveys: boolean; usage_figures: boolean };
  }
}
