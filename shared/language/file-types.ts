/**
 * Media types of files, with the endings that names of such files have: browsers tell the type of a file by its ending,
 * and some of them wrongly (a CSV file is "application/vnd.ms-excel" where a spreadsheet is installed).
 */
export const fileTypes = {
  'application/json': ['.json'],
  'application/pdf': ['.pdf'],
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['.xlsx'],
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': ['.docx'],
  'application/x-pkcs12': ['.pfx', '.p12'],
  'application/zip': ['.zip'],
  'image/jpeg': ['.jpg', '.jpeg'],
  'image/png': ['.png'],
  'image/svg+xml': ['.svg'],
  'image/webp': ['.webp'],
  'message/rfc822': ['.eml'],
  'text/calendar': ['.ics'],
  'text/csv': ['.csv'],
  'text/plain': ['.txt', '.log'],
} as const;
export type FileType = keyof typeof fileTypes;

/** Lists the file endings of a media type; empty for one that is not listed. */
export const endingsOf = (type: string): readonly string[] =>
  Object.hasOwn(fileTypes, type) ? fileTypes[type as FileType] : [];

/** Names files of these media types as people do: "PNG, JPG". */
export const kindsOf = (types: readonly FileType[]): string =>
  types.map(type => fileTypes[type][0].slice(1).toUpperCase()).join(', ');

/** Bytes of one file at most, either way. */
export const largestFile = 32 * 1024 * 1024;
