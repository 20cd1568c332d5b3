import type { Reply } from '../../../shared/language/reply.ts';
import type { CommandDeclaration } from '../names/command-declaration.ts';
import { isObject } from '../names/json.ts';
import type { Source } from '../names/source.ts';
import { defaultLanguage, placeOfTexts } from '../names/texts.ts';
import { documentName } from './names.ts';

/** What short forms need of an operation. It is not checked yet: each of these may be anything. */
export type OperationFacts = {
  readonly method?: unknown;
  readonly path?: unknown;
  readonly refreshOn?: unknown;
  readonly reply?: Reply;
  readonly with?: Readonly<Record<string, { readonly enum?: readonly unknown[] }>>;
};

/** What short forms need to know of a folder. */
export type FolderFacts = {
  readonly operations: ReadonlyMap<string, OperationFacts>;
  /** Operation → file of its declaration. */
  readonly operationFiles: ReadonlyMap<string, string>;
  /** Command → what it declares of its reply. */
  readonly commands: ReadonlyMap<string, Reply | undefined>;
  /** Part → its parameters, each with its kind. */
  readonly parts: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
  /** Keys of the texts of the default language. */
  readonly texts: ReadonlySet<string>;
};

/** True for a file in the folder of an operation's area: of two declarations of one name that one is meant. */
export const isOwnFile = (operation: string, file: string): boolean => file.startsWith(`${operation.split('.')[0]}/`);

const pluralSuffix = /_(?:zero|one|two|few|many|other)$/;

/** Collects what expanding short forms needs to know of a folder: its operations, commands, text names and parts. */
export function gatherFacts(sources: readonly Source[], commands: readonly CommandDeclaration[]): FolderFacts {
  const operations = new Map<string, OperationFacts>();
  const operationFiles = new Map<string, string>();
  const texts = new Set<string>();
  const parts = new Map<string, Readonly<Record<string, unknown>>>();
  for (const { kind, json, file } of sources) {
    if (kind === 'part' && isObject(json.parameters))
      parts.set(typeof json.id === 'string' ? json.id : documentName({ file, kind }), json.parameters);
    if (kind === 'operations' && isObject(json.operations))
      for (const [name, operation] of Object.entries(json.operations))
        if (isObject(operation) && (!operations.has(name) || isOwnFile(name, file))) {
          operations.set(name, operation as OperationFacts);
          operationFiles.set(name, file);
        }
    const place = kind === 'texts' ? placeOfTexts(file) : undefined;
    if (place?.language === defaultLanguage)
      for (const name of Object.keys(json)) texts.add(`${place.area}.${name.replace(pluralSuffix, '')}`);
  }
  return {
    operations,
    operationFiles,
    commands: new Map(commands.map(({ name, reply }) => [name, reply])),
    parts,
    texts,
  };
}
