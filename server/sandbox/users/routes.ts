import type { App } from '../http/schema.ts';
import { addImport } from '../imports/routes.ts';
import type { Parts } from '../parts.ts';
import { userImport } from './import.ts';

/** Adds the import of users; the users themselves are a plain resource. */
export const addUserRoutes = (app: App, parts: Pick<Parts, 'db' | 'now'>): void => addImport(app, parts, userImport);
