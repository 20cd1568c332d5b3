import assert from 'node:assert/strict';
import { test } from 'node:test';
import { convertDynamicForm } from '../../../shared/models/convert-dynamic-form.ts';
import { convertGenericPopup, itemType } from '../../../shared/models/convert-generic-popup.ts';
import type { WirePopupSchema } from '../../../shared/models/generic-popup.ts';
import { fieldsIn } from '../../../shared/rules/fields.ts';
import { checkForm } from '../../../shared/rules/validation.ts';

const test1 = (pattern: string, value: string): boolean => new RegExp(pattern).test(value);

test('a dynamic form becomes text and password fields with its own words', () => {
  const fields = convertDynamicForm(
    {
      Fields: [
        {
          PropertyName: 'Name',
          Label: 'Your name',
          Type: 1,
          Mandatory: true,
          Regex: '^[a-z]+$',
          InvalidMessage: 'Only letters',
          ToolTip: 'As on your badge',
          Message: null,
        },
        { PropertyName: 'Secret', Type: 2, Regex: null },
      ],
    },
    'Please fill this in',
  );
  assert.deepEqual(fields, [
    {
      type: 'field',
      propertyName: 'Name',
      kind: 'text',
      label: 'Your name',
      mandatory: true,
      mandatoryMessage: 'Please fill this in',
      regex: '^[a-z]+$',
      invalidMessage: 'Only letters',
      toolTip: 'As on your badge',
    },
    { type: 'field', propertyName: 'Secret', kind: 'password', label: 'Secret' },
  ]);
});

const schema: WirePopupSchema = {
  Items: [
    { DataItem: 'Head', Label: 'Contact', Type: itemType.subHeader },
    { DataItem: 'Notice', Type: itemType.htmlDisplay },
    { DataItem: 'Plan', Label: 'Plan', Type: itemType.textDisplay },
    { DataItem: 'Forward', Label: 'Forward mail', Type: itemType.checkbox },
    { DataItem: 'Address', Label: 'To', Type: itemType.email, Regex: '^.+$', RegexError: 'Give an address' },
    { DataItem: 'Days', Label: 'Days', Type: itemType.number },
    {
      DataItem: 'Confirm',
      Label: 'Type DELETE',
      Type: itemType.textInput,
      RequiredValue: 'DELETE',
      RegexError: 'Type DELETE',
    },
  ],
  PropertyDependencies: [
    {
      PropertyDataItem: 'Forward',
      PropertyDataItemDependencyValue: 'false',
      DependentPropertyDataItem: 'Address',
      Type: 1,
    },
    { PropertyDataItem: 'Days', PropertyDataItemDependencyValue: '0', DependentPropertyDataItem: 'Confirm', Type: 2 },
    { PropertyDataItem: 'Nobody', PropertyDataItemDependencyValue: 'x', DependentPropertyDataItem: 'Days', Type: 1 },
  ],
};

test('the items of a popup become headings, html, displays and fields, in order', () => {
  const nodes = convertGenericPopup(schema, test1);
  assert.deepEqual(
    nodes.map(node => (node.type === 'field' ? node.kind : node.type)),
    ['heading', 'html', 'display', 'checkbox', 'email', 'number', 'text'],
  );
  assert.deepEqual(nodes[1], { type: 'html', path: 'form.Notice' });
});

const check = (values: Record<string, unknown>) =>
  checkForm(fieldsIn(convertGenericPopup(schema, test1)), values, {}, test1, true);
const wrong = (values: Record<string, unknown>) => Object.keys(check(values).errors);

test('a hidden item is skipped while its controlling item has the value of the dependency, and only then', () => {
  assert.deepEqual(wrong({ Forward: false, Confirm: 'DELETE' }), []);
  assert.deepEqual(wrong({ Forward: true, Confirm: 'DELETE' }), ['Address']);
  assert.deepEqual(wrong({ Forward: true, Address: 'a@b.test', Confirm: 'DELETE' }), []);
});

test('a disabled item is not asked for and may not be sent', () => {
  assert.deepEqual(wrong({ Days: '0' }), []);
  assert.deepEqual(wrong({ Days: 0, Confirm: 'DELETE' }), ['Confirm']);
});

test('numeric text becomes a number, and a required value must be exactly that', () => {
  assert.equal(check({ Days: '12', Confirm: 'DELETE' }).values.Days, 12);
  assert.deepEqual(wrong({ Days: 'twelve', Confirm: 'DELETE' }), ['Days']);
  assert.deepEqual(wrong({ Confirm: 'delete' }), ['Confirm']);
  assert.deepEqual(wrong({}), ['Confirm']);
});

test('what is only displayed may not be sent', () => {
  assert.deepEqual(wrong({ Plan: 'Gold', Confirm: 'DELETE' }), ['Plan']);
});
