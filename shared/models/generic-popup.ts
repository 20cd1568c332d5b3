/** The spec's generic popup in its wire form (document 2, sections 3 and 7), as the cloud delivers it. */
export type WireMethod = 'get' | 'post' | 'put' | 'delete' | 'options' | 'head' | 'patch';

export type WirePopup = {
  readonly Title: string;
  readonly ApiGetSchemaPath: string;
  readonly ApiGetDataPath: string;
  readonly ApiSubmitPath: string;
  readonly ApiSubmitRequestMethod: WireMethod;
};

/** subHeader 1, textDisplay 2, textInput 3, number 4, email 5, checkbox 6, htmlDisplay 7. */
export type WireItem = {
  readonly DataItem: string;
  readonly Label?: string | null;
  readonly Type: number;
  readonly Regex?: string | null;
  readonly RegexError?: string | null;
  readonly RequiredValue?: string | number | boolean | null;
};

/** Applies only while the controlling field equals the dependency value. Type: hide 1, disable 2. */
export type WireDependency = {
  readonly PropertyDataItem: string;
  readonly PropertyDataItemDependencyValue: string | number | boolean | null;
  readonly DependentPropertyDataItem: string;
  readonly Type: number;
};

export type WirePopupSchema = {
  readonly Items: readonly WireItem[];
  readonly PropertyDependencies?: readonly WireDependency[] | null;
  /** Pipe-separated names of events. */
  readonly UpdateEvent?: string | null;
};

const dataItem = { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9_]*$', maxLength: 80 } as const;
const short = { type: ['string', 'null'], maxLength: 500 } as const;
const localPath = { type: 'string', pattern: '^/', maxLength: 500 } as const;

export const wirePopupSchema = {
  type: 'object',
  required: ['Title', 'ApiGetSchemaPath', 'ApiGetDataPath', 'ApiSubmitPath', 'ApiSubmitRequestMethod'],
  properties: {
    Title: { type: 'string', maxLength: 200 },
    ApiGetSchemaPath: localPath,
    ApiGetDataPath: localPath,
    ApiSubmitPath: localPath,
    ApiSubmitRequestMethod: { enum: ['post', 'put', 'delete'] },
  },
} as const;

export const wirePopupSchemaSchema = {
  type: 'object',
  required: ['Items'],
  properties: {
    Items: {
      type: 'array',
      minItems: 1,
      maxItems: 100,
      items: {
        type: 'object',
        required: ['DataItem', 'Type'],
        properties: {
          DataItem: dataItem,
          Label: short,
          Type: { enum: [1, 2, 3, 4, 5, 6, 7] },
          Regex: short,
          RegexError: short,
          RequiredValue: { type: ['string', 'number', 'boolean', 'null'] },
        },
      },
    },
    PropertyDependencies: {
      type: ['array', 'null'],
      maxItems: 200,
      items: {
        type: 'object',
        required: ['PropertyDataItem', 'DependentPropertyDataItem', 'Type'],
        properties: {
          PropertyDataItem: dataItem,
          PropertyDataItemDependencyValue: { type: ['string', 'number', 'boolean', 'null'] },
          DependentPropertyDataItem: dataItem,
          Type: { enum: [1, 2] },
        },
      },
    },
    UpdateEvent: { type: ['string', 'null'], pattern: '^[A-Za-z0-9._|-]*$', maxLength: 300 },
  },
} as const;
