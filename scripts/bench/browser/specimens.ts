/** What the benched pages show: the same on the portal's page and on the plain one that it is held against. */

/** A field, in the words of the layout language. */
export type Specimen = {
  readonly propertyName: string;
  readonly label: string;
  readonly kind: 'text' | 'email' | 'phone' | 'number' | 'checkbox' | 'select';
  readonly mandatory?: boolean;
  readonly regex?: string;
  readonly invalidMessage?: string;
  readonly toolTip?: string;
  readonly min?: number;
  readonly max?: number;
  readonly maxLength?: number;
  readonly options?: { readonly value: string; readonly text: string }[];
  /** Name of the checkbox that must be ticked for the field to show. */
  readonly needs?: string;
};

const countries = ['United Kingdom', 'Ireland', 'France', 'Spain'].map(text => ({ value: text, text }));

/** The form of a new customer: 12 fields, one of them met only when a box is ticked. */
export const smallForm: readonly Specimen[] = [
  { propertyName: 'Name', label: 'Customer name', kind: 'text', mandatory: true, maxLength: 100 },
  {
    propertyName: 'Domain',
    label: 'Primary domain',
    kind: 'text',
    mandatory: true,
    regex: '^[a-z0-9-]+(\\.[a-z0-9-]+)+$',
    invalidMessage: 'A domain has no spaces.',
  },
  { propertyName: 'FirstName', label: 'First name', kind: 'text', mandatory: true },
  { propertyName: 'LastName', label: 'Last name', kind: 'text', mandatory: true },
  { propertyName: 'Email', label: 'E-mail address', kind: 'email', mandatory: true },
  { propertyName: 'Phone', label: 'Phone', kind: 'phone', toolTip: 'Starts with 0, 00 or + and a country code' },
  { propertyName: 'Address1', label: 'Address', kind: 'text' },
  { propertyName: 'TownCity', label: 'Town or city', kind: 'text' },
  {
    propertyName: 'PostCode',
    label: 'Postcode',
    kind: 'text',
    regex: '^[A-Z0-9 ]+$',
    invalidMessage: 'Capitals and digits.',
  },
  { propertyName: 'Country', label: 'Country', kind: 'select', options: countries },
  { propertyName: 'Billing', label: 'Bills go elsewhere', kind: 'checkbox' },
  { propertyName: 'BillingEmail', label: 'Address for bills', kind: 'email', mandatory: true, needs: 'Billing' },
];

/** 200 fields in groups of ten: a box, three fields that it shows, six more with rules of their own. */
export const largeForm: readonly Specimen[] = Array.from({ length: 200 }, (_, index) => largeField(index));

/** The values that both forms start with; half of the large form's boxes are ticked. */
export const initialValues: Readonly<Record<string, unknown>> = Object.fromEntries(
  [...smallForm, ...largeForm].map(field => [field.propertyName, initialValue(field)]),
);

function initialValue({ propertyName, kind }: Specimen): unknown {
  if (kind === 'checkbox') return /^Field\d*[02468]0$|^Field0$/.test(propertyName);
  if (kind === 'number') return 5;
  return kind === 'select' ? countries[0]!.value : '';
}

function largeField(index: number): Specimen {
  const [group, place] = [Math.floor(index / 10), index % 10];
  const base = { propertyName: `Field${index}`, label: `Setting ${index + 1}` };
  const box = `Field${group * 10}`;
  if (place === 0) return { ...base, kind: 'checkbox' };
  if (place <= 3) return { ...base, kind: 'text', mandatory: true, needs: box };
  if (place === 4) return { ...base, kind: 'number', min: 1, max: 50 };
  if (place === 5) return { ...base, kind: 'select', options: countries };
  if (place === 6) return { ...base, kind: 'email' };
  return { ...base, kind: 'text', regex: '^[a-z]*$', invalidMessage: 'Small letters only.', maxLength: 40 };
}

/** A row of the benched tables. */
export type Row = {
  readonly Id: string;
  readonly Name: string;
  readonly Domain: string;
  readonly Status: string;
  readonly Users: number;
  readonly MonthlySpend: number;
};

const statuses = ['Active', 'Activating', 'Suspended', 'ActivationFailed'];

/** 1,000 rows of six columns; the screen of buttons shows the first 25. */
export const rows: readonly Row[] = Array.from({ length: 1000 }, (_, index) => ({
  Id: String(10_000 + index),
  Name: `Customer ${(index * 7919) % 1000}`,
  Domain: `customer-${index}.test`,
  Status: statuses[index % statuses.length]!,
  Users: (index * 37) % 400,
  MonthlySpend: ((index * 7919) % 100_000) / 100,
}));

/** An item to be matched with an option, which it may have, and what is suggested for it. */
export type MatchItem = {
  readonly id: string;
  readonly name: string;
  readonly option: string | null;
  readonly suggestion: string | null;
};

const towns = ['Nottingham', 'Leicester', 'Derby', 'Lincoln', 'Café Zoë', 'Ashby', 'Hinckley', 'Melton'];

/** 2,000 items of which a quarter have an option and most others a suggestion. */
export const matchItems: readonly MatchItem[] = Array.from({ length: 2000 }, (_, index) => ({
  id: String(index),
  name: `${towns[index % towns.length]} Traders ${(index * 7919) % 2000}`,
  option: index % 4 === 2 ? String(index) : null,
  suggestion: index % 4 === 2 || index % 10 === 0 ? null : String(index),
}));

export const matchOptions: readonly { readonly id: string; readonly name: string }[] = matchItems.map(
  ({ id, name }) => ({ id, name: `${name} Limited` }),
);
