import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PrintedDocument, printDocument } from '../../server/sandbox/billing/pdf.ts';
import { readPdf } from '../fixtures/pdf-text.ts';

test('an amount below zero is printed with a dash as wide as a digit, not with a hyphen', async () => {
  const party = { Name: 'Northwind', Address: '1 Quay', TaxNumber: 'GB1' };
  const day = '2026-11-01';
  const head = {
    ...{ Kind: 'Invoice', Id: 'INV-1', Currency: 'GBP', Against: null, Lines: 0, Customers: 0 },
    ...{ Issued: day, Period: day, PeriodEnd: day, Due: day },
    ...{ Net: '-1234.50', Tax: '0', Gross: '-1234.50', Prepaid: '0', Paid: '0', Left: '0' },
  };
  const printed = { head, parties: { From: party, To: party }, taxes: [], customers: [], lines: [], payments: [] };
  const { text } = readPdf(Buffer.from(await printDocument(printed as unknown as PrintedDocument)));
  assert.match(text, /–£1,234\.50/);
  assert.doesNotMatch(text, /-£/);
});
