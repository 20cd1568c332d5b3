import { pageEvents, serverEvents } from '../../shared/language/events.ts';
import { requirement } from '../../shared/language/requirement.ts';
import { describeRequirement } from '../access/describe-requirement.ts';
import type { Compiled } from '../layouts/names/pass.ts';
import { defaultLanguage } from '../layouts/names/texts.ts';

/** A folder as it is, errors included: names are completed while a document is being written. */
export type NamedFolder = Pick<Compiled, 'names' | 'texts'>;

/** Names with what an editor says of each; '' where there is nothing to say. */
export type NameList = Iterable<readonly [name: string, says: string]>;

const plain = (names: Iterable<string>): NameList => [...names].map(name => [name, ''] as const);

/**
 * By the title of a kind of value, the names that it may have in a folder. A new kind of reference is a line here: every
 * place of the language with that title is completed and checked by editors.
 */
export const nameLists: Readonly<Record<string, (folder: NamedFolder) => NameList>> = {
  OperationName: ({ names }) => [...names.operations].map(([name, { description = '' }]) => [name, description]),
  CommandName: ({ names }) => plain(names.commands.keys()),
  PopupName: ({ names }) => plain(names.popups.keys()),
  HelpPopup: ({ names }) => plain(names.popups.keys()),
  PartName: ({ names }) => plain(names.parts.keys()),
  JourneyName: ({ names }) => plain(names.journeys.keys()),
  FormName: ({ names }) => plain(names.forms.keys()),
  Catalogue: ({ names }) => plain(names.catalogues.keys()),
  CatalogueCode: ({ names }) => plain([...names.catalogues.keys()].flatMap(id => [`code:${id}`, `code:${id}?`])),
  Text: ({ names, texts }) => [...names.texts.keys()].map(key => [key, describeText(texts, key)]),
  ViewNames: ({ names }) => plain(names.views),
  PermissionNames: ({ names }) => plain(names.permissions),
  FeatureNames: ({ names }) => plain(names.features),
  RequirementName: ({ names: { requirements } }) =>
    [...requirements.meanings].map(([name, meaning]) => [
      name,
      describeRequirement({ ...meaning }, requirements.nameOf),
    ]),
  UserType: () => plain(requirement.properties.userTypes.items.enum),
  EventName: ({ names: { events } }) => [
    ...plain([...events.published, ...events.heard]),
    ...Object.entries({ ...serverEvents, ...pageEvents }),
  ],
};

type ParameterList = (folder: NamedFolder) => Iterable<readonly [name: string, parameters: readonly string[]]>;

const ofOperations: ParameterList = ({ names }) =>
  [...names.operations].map(([name, operation]) => [name, Object.keys(operation.with ?? {})]);

/** By the property that names what is called, or the head that does, the parameters that `with` beside it may give. */
export const parameterLists: Readonly<Record<string, ParameterList>> = {
  operation: ofOperations,
  call: ofOperations,
  delivered: ofOperations,
  popup: ({ names }) => names.popups,
  part: ({ names }) => names.parts,
  journey: ({ names }) => [...names.journeys].map(([name, { declared }]) => [name, declared]),
  'open-popup': ({ names }) => names.popups,
  command: ({ names }) => [...names.commands].map(([name, { parameters = [] }]) => [name, parameters]),
};

function describeText(texts: Compiled['texts'], key: string): string {
  const text = texts.resolve(key, () => true, defaultLanguage);
  const words = typeof text === 'string' ? text : (text.other ?? '');
  return words.length > 200 ? `${words.slice(0, 199)}…` : words;
}
