import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The built browser side: addresses below /assets/ (dist/client/manifest.json). */
export type ClientFiles = {
  readonly folder: string;
  /** The first script of every page, below / (client/start.ts). */
  readonly start: string;
  readonly main: string;
  readonly css: string;
  readonly icons: string;
  readonly preload: readonly string[];
  /** Names this build; changes with any of its files. */
  readonly runtime: string;
};

/** Reads the manifest of the browser's built files in `folder`; undefined where nothing has been built. */
export function readClientFiles(folder: string): ClientFiles | undefined {
  const file = join(folder, 'manifest.json');
  if (!existsSync(file)) return undefined;
  const { start, main, css, icons, preload } = JSON.parse(readFileSync(file, 'utf8')) as Omit<
    ClientFiles,
    'folder' | 'runtime'
  >;
  return { folder, start, main, css, icons, preload, runtime: `${main} ${css}`.replace(/\/assets\/|\.js|\.css/g, '') };
}
