/** A heading with what stands below it: a paragraph, a list, `{ sub }` for a remark, or the custom section. */
export type PolicyPart = readonly [
  title: string,
  ...content: (string | readonly string[] | { readonly sub: string } | 'custom')[],
];

export type Policy = { readonly id: string; readonly title: string; readonly parts: readonly PolicyPart[] };
