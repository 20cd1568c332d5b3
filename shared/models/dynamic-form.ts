/** The spec's dynamic form in its wire form (document 2, section 3), as the cloud delivers it. */
export type WireFormField = {
  readonly PropertyName: string;
  readonly Label?: string;
  /** 1 text, 2 password. */
  readonly Type: number;
  readonly Mandatory?: boolean;
  readonly Regex?: string | null;
  readonly InvalidMessage?: string | null;
  readonly ToolTip?: string | null;
  readonly Message?: string | null;
};
export type WireForm = { readonly Fields: readonly WireFormField[] };

export const wireFormSchema = {
  type: 'object',
  required: ['Fields'],
  properties: {
    Fields: {
      type: 'array',
      minItems: 1,
      maxItems: 100,
      items: {
        type: 'object',
        required: ['PropertyName', 'Type'],
        properties: {
          PropertyName: { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9_]*$', maxLength: 80 },
          Label: { type: ['string', 'null'], maxLength: 300 },
          Type: { enum: [1, 2] },
          Mandatory: { type: ['boolean', 'null'] },
          Regex: { type: ['string', 'null'], maxLength: 500 },
          InvalidMessage: { type: ['string', 'null'], maxLength: 500 },
          ToolTip: { type: ['string', 'null'], maxLength: 500 },
          Message: { type: ['string', 'null'], maxLength: 500 },
        },
      },
    },
  },
} as const;
