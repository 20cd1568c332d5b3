import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PrintedDocument, printDocument } from '../../server/sandbox/billing/pdf.ts';
import { inUtf16, readPdf } from '../fixtures/pdf-text.ts';

test('an amount below zero is printed with a dash as wide as a digit, not with a hyphen', async () => {
  const party = { Name: 'Northwind', Address: '1 Quay', TaxNumber: 'GB1' };
  const day = '2026-11-01';
  const head = {
    ...{ Kind: 'Invoice', Id: 'INV-1', Currency: 'GBP', Against: null, Lines: 0, Customers: 0 },
    ...{ Issued: day, Period: day, PeriodEnd: day, Due: day },
    ...{ Net: '-1234.50', Tax: '0', Gross: '-1234.50', Prepaid: '0', Paid: '0', Left: '0' },
  };
  const printed = {
    head,
    parties: { From: party, To: party, PayTo: party },
    taxes: [],
    customers: [],
    lines: [],
    payments: [],
  };
  const { text } = readPdf(Buffer.from(await printDocument(printed as unknown as PrintedDocument)));
  assert.match(text, /–£1,234\.50/);
  assert.doesNotMatch(text, /-£/);
});

test('each page of a long invoice says which document it is, which page and of how many; days have their year', async () => {
  const party = { Name: 'Northwind', Address: '1 Quay', TaxNumber: 'GB1' };
  const day = '2024-09-06';
  const head = {
    ...{ Kind: 'Invoice', Id: 'FH-2004', Currency: 'GBP', Against: null, Lines: 90, Customers: 1 },
    ...{ Issued: day, Period: day, PeriodEnd: day, Due: day },
    ...{ Net: '90', Tax: '0', Gross: '90', Prepaid: '0', Paid: '0', Left: '90' },
  };
  const line = { CustomerName: 'Contoso', Service: 'Backup', Starts: day, Ends: '2024-09-17', Quantity: 1 };
  const lines = Array.from({ length: 90 }, () => ({ ...line, UnitPrice: '1', TaxRate: 20, Amount: '1' }));
  const customers = [{ Name: 'Contoso', Amount: '90' }];
  const printed = {
    head,
    parties: { From: party, To: party, PayTo: party },
    taxes: [],
    customers,
    lines,
    payments: [],
  };
  const { text } = readPdf(Buffer.from(await printDocument(printed as unknown as PrintedDocument)));
  const said = [...text.matchAll(/Invoice FH-2004\. Page (\d) of (\d)/g)].map(([, page, count]) => `${page}/${count}`);
  assert.deepEqual(said, ['1/3', '2/3', '3/3']);
  assert.match(text, /06\/09\/2024 to 17\/09\/2024/);
});

test('names of any script are printed with the letters that they have, and what no font has as its code', async () => {
  const names = [
    'Łódź Dvořák',
    'Київ',
    '北京翻译',
    '東京テスト',
    '한국어',
    'شركة (12)',
    'שלום',
    'บริษัท',
    'हिन्दी',
    'Ltd 😀',
  ];
  const party = { Name: 'Northwind', Address: '1 Quay', TaxNumber: 'GB1' };
  const day = '2024-09-06';
  const head = {
    ...{ Kind: 'Invoice', Id: 'FH-2004', Currency: 'GBP', Against: null, Lines: 0, Customers: names.length },
    ...{ Issued: day, Period: day, PeriodEnd: day, Due: day, CreditedBy: 'CM-915' },
    ...{ Net: '90', Tax: '0', Gross: '90', Prepaid: '5', Paid: '0', Left: '85' },
  };
  const parties = { From: party, To: party, PayTo: { Name: 'Fernhill', Bank: 'Aire Bank', Account: 'IBAN X1' } };
  const customers = names.map(Name => ({ Name, Amount: '1' }));
  const printed = { head, parties, taxes: [], customers, lines: [], payments: [] };
  const bytes = Buffer.from(await printDocument(printed as unknown as PrintedDocument));
  const { text, source } = readPdf(bytes);
  for (const name of names) assert.ok(source.includes(inUtf16(name)), `${name} is not to be read aloud`);
  assert.doesNotMatch(text, /\?/);
  assert.deepEqual([...new Set(text.match(/\[U\+\w+\]/g))], ['[U+1F600]']);
  assert.match(text, /\[U\+1F600\]: the code of a character/);
  assert.equal(source.match(/\/FontFile2 /g)?.length, 13, 'a font for each cut of the names that need one');
  assert.match(text, /Credited by CM-915/);
  assert.match(text, /To pay by bank transfer.*Fernhill, Aire Bank\. IBAN X1\. Reference FH-2004/);
});
