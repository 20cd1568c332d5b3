import type { keysToJoin } from '../../../shared/rules/joined-rows.ts';
import type { joinedData } from './joined-data.ts';
import { createStore } from './store.ts';

type Joins = { readonly keysToJoin: typeof keysToJoin; readonly joinedData: typeof joinedData };

/**
 * Holds the code that joins rows with other replies. It comes with the first node that draws rows: the sign-in page
 * does without.
 */
export const joins = createStore<Joins | undefined>(undefined);
