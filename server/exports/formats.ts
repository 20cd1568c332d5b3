import { writeCsv } from './csv.ts';
import { writeXlsx } from './xlsx.ts';

/**
 * The formats of a table as a file, by the ending of its name. `mostRows`: a workbook is made in memory as a whole, and a
 * spreadsheet takes no more than a million rows.
 */
export const formats = {
  csv: { type: 'text/csv', write: writeCsv, mostRows: 500_000 },
  xlsx: {
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    write: writeXlsx,
    mostRows: 50_000,
  },
} as const;

export type ExportFormat = keyof typeof formats;
