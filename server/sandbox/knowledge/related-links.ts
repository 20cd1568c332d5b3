import { productCodes } from '../../../shared/catalogue/codes.ts';
import type { Write } from '../tables.ts';

/** A link to an article by its path, or to a page elsewhere. */
type Link = string | { readonly title: string; readonly url: string };

const everyProduct: readonly Link[] = [
  'selling/add-a-product',
  'selling/change-or-upgrade',
  'selling/fix-a-failed-service',
  'selling/delete-a-service',
];
const mailStandards: readonly Link[] = [
  { title: 'RFC 7208: Sender Policy Framework (SPF)', url: 'https://www.rfc-editor.org/rfc/rfc7208' },
  { title: 'RFC 6376: DomainKeys Identified Mail (DKIM)', url: 'https://www.rfc-editor.org/rfc/rfc6376' },
];
const moreByProduct: Readonly<Record<string, readonly Link[]>> = {
  '1-1': ['mail/mailbox-permissions', 'mail/distribution-groups', 'mail/recover-mail'],
  '16-1': mailStandards,
};

const linksOf = ({ serviceId, subId }: { readonly serviceId: number; readonly subId: number }) => [
  ...(moreByProduct[`${serviceId}-${subId}`] ?? []),
  ...everyProduct,
];

/** Brings the related links of every product up to what this file says. */
export async function refreshRelatedLinks(trx: Write): Promise<void> {
  await trx.deleteFrom('related_links').execute();
  const rows = productCodes.flatMap(code =>
    linksOf(code).map((link, position) => ({
      product: `${code.serviceId}-${code.subId}`,
      position,
      article_path: typeof link === 'string' ? link : null,
      title: typeof link === 'string' ? null : link.title,
      url: typeof link === 'string' ? null : link.url,
    })),
  );
  await trx.insertInto('related_links').values(rows).execute();
}
