/** What has become of a row of an import. */
export type RowState = 'Ready' | 'Invalid' | 'Created' | 'Failed' | 'Undone' | 'Kept';
