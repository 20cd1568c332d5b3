/** The texts of all documents, by their path in the folder. */
export type Documents = Map<string, string>;

/**
 * Rewrites documents of the first edition of the language. What is of the second edition stays as it is, so that a
 * migration can run again when documents of the first edition have come back. Gives what one should look at.
 */
export type Migration = (documents: Documents) => readonly string[];
