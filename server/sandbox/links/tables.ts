import type { Generated } from 'kysely';

export type LinkPurpose = 'spam-release' | 'archive-search' | 'archive-export';

declare module '../tables.ts' {
  interface Tables {
    quarantined_mails: {
      id: Generated<number>;
      user_id: number;
      sender: string;
      subject: string;
      received: Date;
      released: Date | null;
    };
    archive_requests: {
      id: Generated<number>;
      user_id: number;
      access_type: 'search' | 'export';
      requested: Date;
      verified: Date | null;
    };
    link_tokens: {
      hash: string;
      purpose: LinkPurpose;
      subject_id: number;
      user_id: number;
      expires: Date;
      used: Date | null;
    };
  }
}
