import { type PortalCall, portalCalls } from '../../../shared/language/operation.ts';
import { requirement } from '../../../shared/language/requirement.ts';
import type { Operation, Requirement } from '../../../shared/language/types.ts';
import { contradictionsOf } from '../contract/compare-contracts.ts';
import { readContract } from '../contract/read-contract.ts';
import { type Contract, fieldOf, followNames, namesAt } from '../names/contract.ts';
import { wrongInPattern } from '../names/pattern.ts';
import { type Problem, suggest } from '../names/problem.ts';
import { type Names, principalFacts } from '../names/scope.ts';
import type { LongDocument, Pointer } from '../names/source.ts';
import { canBeMet, restricts } from './contradiction.ts';
import { ofParameter, wrongConstant } from './declared-values.ts';
import { checkRequirement } from './requirement.ts';

const userTypes: readonly string[] = requirement.properties.userTypes.items.enum;

/** Checks the operations of all documents beyond their JSON Schema: path, parameters, body and the names they use. */
export function checkOperations(sources: readonly LongDocument[], names: Names): Problem[] {
  const asked = new Map<string, string>();
  return sources.flatMap(source => [
    ...Object.entries(source.json.operations as Record<string, Operation>).flatMap(([name, operation]) =>
      checkOperation(source, name, operation, names),
    ),
    ...checkSameAddress(source, names, asked),
  ]);
}

function checkOperation(source: LongDocument, name: string, operation: Operation, names: Names): Problem[] {
  const problems: Problem[] = [];
  const at = (step: readonly (string | number)[], message: string, severity: Problem['severity'] = 'error') =>
    problems.push(source.problem(['operations', name, ...step], message, severity));
  const parameters = Object.keys(operation.with ?? {});
  const inPath = operation.link ? [...parameters, guid] : parameters;
  const checkPath = (path: string, step: readonly (string | number)[]) => {
    if (/[{}]/.test(path.replace(/\{[^{}]*\}/g, ''))) at(step, `The path "${path}" has a brace that is not closed.`);
    for (const [, part] of path.matchAll(/\{([^{}]*)\}/g)) {
      if (!inPath.includes(part as string))
        at(step, `The path names "${part}", which is not a parameter.${suggest(part as string, inPath)}`);
    }
  };
  const call = `${operation.method} ${operation.path}`;
  if (operation.service === 'portal') {
    const asked: readonly string[] | undefined = portalCalls[call as PortalCall];
    if (!asked) at(['path'], `The portal does not answer "${call}".${suggest(call, Object.keys(portalCalls))}`);
    for (const missing of (asked ?? []).filter(part => !names.operations.has(part)))
      at(['path'], `The portal answers "${call}" by asking "${missing}", which is not found.`);
  }
  checkPath(operation.path, ['path']);
  (operation.elsewhere ?? []).forEach(({ path, method = operation.method, requires }, index) => {
    checkPath(path, ['elsewhere', index, 'path']);
    problems.push(...checkRequirement(requires, source, ['operations', name, 'elsewhere', index, 'requires'], names));
    if ((method === 'GET') !== (operation.method === 'GET'))
      at(['elsewhere', index, 'method'], 'What reads in one place reads in all.');
    if (operation.service === 'portal') at(['elsewhere', index], 'The portal answers in one place.');
  });
  for (const [parameter, rule] of Object.entries(operation.with ?? {})) {
    const { pattern, minimum = -Infinity, maximum = Infinity } = rule;
    const unfit =
      rule.default === undefined ? undefined : wrongConstant(rule.default, ofParameter(parameter, rule, name, names));
    if (unfit !== undefined) at(['with', parameter, 'default'], unfit);
    const wrong = pattern === undefined ? undefined : wrongInPattern(pattern);
    if (wrong !== undefined) at(['with', parameter, 'pattern'], wrong);
    if (minimum > maximum)
      at(['with', parameter, 'minimum'], '"minimum" is above "maximum", so that no value is right.');
  }
  if (operation.method === 'GET' && operation.body !== undefined) at(['body'], 'A GET has no body.');
  if (operation.method === 'GET' && operation.refreshes)
    at(['refreshes'], 'A GET changes nothing, so it refreshes nothing.');
  if (operation.file !== undefined && operation.method !== 'GET') at(['file'], 'What gives a file is a GET.');
  if (operation.method !== 'GET' && operation.audit === undefined)
    at([], `The write "${name}" leaves no audit record; name it in "audit".`, 'warning');
  if (operation.body !== undefined && !names.forms.has(operation.body))
    at(['body'], `Form "${operation.body}" not found.${suggest(operation.body, names.forms.keys())}`);
  checkLink(operation, at);
  checkUpload(operation, names, at);
  checkHostedPage(operation, names, at);
  for (const [parameter, rule] of Object.entries(operation.own ?? {})) {
    if (!parameters.includes(parameter))
      at(['own', parameter], `"${parameter}" is not a parameter.${suggest(parameter, parameters)}`);
    rule.userTypes.forEach((type, index) => {
      if (!userTypes.includes(type))
        at(['own', parameter, 'userTypes', index], `User type "${type}" not found.${suggest(type, userTypes)}`);
    });
    const fact = rule.is.slice('principal.'.length);
    if (!principalFacts.has(fact))
      at(['own', parameter, 'is'], `The caller has no fact "${fact}".${suggest(fact, principalFacts)}`);
  }
  if (operation.method !== 'GET' && operation.refreshOn)
    at(['refreshOn'], 'Only what is read is read again: "refreshOn" is for a GET.');
  const { published } = names.events;
  (operation.refreshOn ?? []).forEach((event, index) => {
    if (!published.has(event))
      at(['refreshOn', index], `Nothing publishes the event "${event}".${suggest(event, published)}`);
  });
  (operation.refreshes ?? []).forEach((read, index) => {
    if (!names.operations.has(read))
      at(['refreshes', index], `Operation "${read}" not found.${suggest(read, names.operations.keys())}`);
  });
  if (operation.requires)
    problems.push(...checkRequirement(operation.requires, source, ['operations', name, 'requires'], names));
  problems.push(...checkContract(source, name, operation, names));
  return problems;
}

/** The value that a link to a file adds to the parameters of its operation (`link` in the language). */
const guid = 'Guid';

/** A link is to a file, which its path says by the Guid; what makes it is given parameters of the operation. */
function checkLink(
  { path, file, elsewhere, link, ...operation }: Operation,
  at: (step: readonly string[], message: string) => void,
): void {
  if (link === undefined) return;
  const parameters = Object.keys(operation.with ?? {});
  if (file === undefined) at(['link'], 'A link is made to a file: name its media type in "file".');
  if (elsewhere !== undefined) at(['link'], 'What has a link is in one place.');
  if (!path.includes(`{${guid}}`)) at(['path'], `The path has no {${guid}}, by which the link names the file.`);
  if (parameters.includes(guid)) at(['with', guid], `The ${guid} comes of the link, and of nobody else.`);
  if (/[{}]/.test(link.path)) at(['link', 'path'], 'The parameters of what makes a link are in its body.');
  for (const part of ['body', 'query'] as const)
    for (const [name, parameter] of Object.entries(link[part] ?? {}))
      if (!parameters.includes(parameter))
        at(['link', part, name], `"${parameter}" is not a parameter.${suggest(parameter, parameters)}`);
}

/** A file is sent by itself: no other operation takes one, and what else its form asks for are parameters. */
function checkUpload(
  { method, service, body, upload }: Operation,
  { forms }: Names,
  at: (step: readonly string[], message: string) => void,
): void {
  const form = forms.get(body ?? '');
  if (!upload) {
    if (form && form.uploads.length > 0)
      at(['body'], `The form "${body}" has a file, which only an operation with "upload": true takes.`);
    return;
  }
  if (method === 'GET' || service === 'portal') at(['upload'], 'What takes a file is a write of an upstream.');
  if (body === undefined) at(['upload'], 'What takes a file names in "body" the form that asks for it.');
  else if (form && form.uploads.length !== 1) at(['body'], `The form "${body}" of an upload asks for one file.`);
  else if (form && !form.needed.includes(form.uploads[0] as string))
    at(['body'], `The file of the form "${body}" is not mandatory.`);
}

/** Fields of the authorisation of a form of a provider (document 2, section 3). */
const authorisation = ['Signature', 'Token', 'Key', 'TenantId', 'PageId', 'Url', 'ZuoraAccountId'];

function checkHostedPage(
  { method, service, reply, hostedPage }: Operation,
  { operations }: Names,
  at: (step: readonly string[], message: string) => void,
): void {
  if (hostedPage === undefined) return;
  const answer = operations.get(hostedPage);
  if (method === 'GET' || service === 'portal') at(['hostedPage'], 'What authorises a form is a write of an upstream.');
  const missing = authorisation.filter(name => !Object.hasOwn((reply ?? {}) as object, name));
  if (missing.length > 0) at(['hostedPage'], `The reply does not declare ${missing.join(', ')} of an authorisation.`);
  if (!answer) at(['hostedPage'], `Operation "${hostedPage}" not found.${suggest(hostedPage, operations.keys())}`);
  else if (answer.method === 'GET' || answer.service === 'portal' || answer.with !== undefined)
    at(['hostedPage'], `"${hostedPage}" takes what the form answers: a write of an upstream without parameters.`);
}

/** Checks the names that a contract uses, and those that its parameters use of it. */
function checkContract(source: LongDocument, name: string, operation: Operation, names: Names): Problem[] {
  const problems: Problem[] = [];
  const at = (step: readonly (string | number)[], message: string) =>
    void problems.push(source.problem(['operations', name, ...step], message));
  if (operation.reply === undefined && operation.method === 'GET' && operation.file === undefined)
    at([], `"${name}" is read, so it says in "reply" what comes back.`);
  if (operation.reply !== undefined && operation.file !== undefined)
    at(['reply'], 'What gives a file has no other reply.');
  const contract =
    operation.reply === undefined
      ? undefined
      : readContract(operation.reply, {
          requirement(requirement, step) {
            const field = requirement as Requirement;
            const place = ['operations', name, 'reply', ...step];
            const wrong = checkRequirement(field, source, place, names);
            problems.push(...wrong);
            if (wrong.length === 0) problems.push(...checkAmongCallers(field, operation, source, place));
          },
          catalogue(id, step) {
            if (!names.catalogues.has(id))
              at(['reply', ...step], `Catalogue "${id}" not found.${suggest(id, names.catalogues.keys())}`);
          },
        });
  if (contract && hasNodes(contract)) at(['reply'], 'Only commands answer with "model:nodes".');
  for (const [parameter, rule] of Object.entries(operation.with ?? {})) {
    if (rule.names === undefined) continue;
    const list = followNames(fieldOf(names.contracts.get(name) as Contract), rule.names.split('.'));
    if (typeof list === 'number') {
      at(['with', parameter, 'names'], `The reply has no "${rule.names}".`);
      continue;
    }
    (rule.enum ?? []).forEach((value, index) => {
      const field = String(value).replace(/^-/, '');
      if (typeof followNames(list, field.split('.')) === 'number')
        at(
          ['with', parameter, 'enum', index],
          `"${rule.names}" of the reply has no "${field}".${suggest(field, namesAt(list))}`,
        );
    });
  }
  return problems;
}

/** What is wrong with who may have a field, among those who may call the operation. */
function checkAmongCallers(
  field: Requirement,
  { requires: caller }: Operation,
  source: LongDocument,
  place: Pointer,
): readonly Problem[] {
  if (!caller) return [];
  if (!canBeMet([caller, field])) return [source.problem(place, 'Nobody who may call the operation may have this.')];
  if (restricts(caller, field)) return [];
  return [source.problem(place, 'This restricts nothing: whoever may call the operation has it.', 'warning')];
}

/** Two operations that ask the same address do not contradict each other: what is money in one is money in both. */
function checkSameAddress(source: LongDocument, names: Names, asked: Map<string, string>): Problem[] {
  return Object.entries(source.json.operations as Record<string, Operation>).flatMap(([name, operation]) => {
    const { service, method, path } = operation;
    const address = `${service} ${method} ${path.replace(/\{[^{}]*\}/g, '{}')}`;
    const other = asked.get(address);
    if (other === undefined) asked.set(address, name);
    const [contract, known] = [names.contracts.get(name), names.contracts.get(other ?? '')];
    if (!contract || !known) return [];
    return contradictionsOf(contract, known, '').map(field =>
      source.problem(
        ['operations', name, 'reply'],
        `${field} is something else in "${other}", which asks the same address.`,
      ),
    );
  });
}

function hasNodes(contract: Contract): boolean {
  if (contract.type === 'list' || contract.type === 'map') return hasNodes(contract.item);
  if (contract.type === 'record') return [...contract.fields.values()].some(hasNodes);
  return contract.type === 'model' && contract.kind === 'model:nodes';
}
