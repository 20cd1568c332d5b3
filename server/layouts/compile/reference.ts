import { matchRoute } from '../../../shared/rules/route.ts';
import { checkPopup } from '../check/call.ts';
import { checkAgainstAbove } from '../check/contradiction.ts';
import { noteQuery } from '../check/place-values.ts';
import { type CompileContext, read, report, targetOf } from '../names/compile-context.ts';
import type { Emit } from '../names/pass.ts';
import { suggest } from '../names/problem.ts';

/**
 * Compiles a value that names something else (a screen, form, operation, catalogue), by the title of its JSON Schema.
 * Undefined for a title that is no such reference.
 */
export function compileReference(title: string | undefined, value: unknown, place: CompileContext): Emit | undefined {
  switch (title) {
    case 'Address':
    case 'Link':
      return compileAddress(String(value), place);
    case 'OperationName':
      return compileOperation(String(value), place);
    case 'CommandName':
      place.mentions.command.add(String(value));
      checkCommandName(String(value), place);
      return named(String(value), place, 'Command', place.names.commands.keys());
    case 'PopupName':
      place.mentions.popup.add(String(value));
      return compilePopup(String(value), place);
    case 'HelpPopup':
      place.mentions.popup.add(String(value));
      return compileHelp(String(value), place);
    case 'JourneyName':
      place.mentions.journey.add(String(value));
      return named(String(value), place, 'Journey', place.names.journeys.keys());
    case 'FormName':
      place.mentions.form.add(String(value));
      return named(String(value), place, 'Form', place.names.forms.keys());
    case 'Catalogue':
      return compileCatalogue(String(value), place);
    case 'TableName':
      return compileTableName(String(value));
    case 'EventName':
      checkEvent(String(value), place);
      return () => value;
    default:
      return undefined;
  }
}

function named(value: string, place: CompileContext, what: string, known: Iterable<string>): Emit {
  const names = [...known];
  if (!names.includes(value)) report(place, `${what} "${value}" not found.${suggest(value, names)}`);
  return () => value;
}

function checkCommandName(name: string, place: CompileContext): void {
  const requires = place.names.commands.get(name)?.requires;
  if (requires) checkAgainstAbove(requires, place, `the command "${name}"`);
}

/** An event is published and listened to: one that only does half of it is misspelt. */
function checkEvent(name: string, place: CompileContext): void {
  const { published, heard } = place.names.events;
  const isPublished = place.at.at(-1) === 'event';
  if (isPublished && !heard.has(name)) report(place, `Nothing listens to the event "${name}".${suggest(name, heard)}`);
  if (!isPublished && !published.has(name))
    report(place, `Nothing publishes the event "${name}".${suggest(name, published)}`);
}

function compileTableName(name: string): Emit {
  return trim => {
    if (trim.lostTables.has(name)) {
      trim.observer?.missing?.(`the table "${name}"`);
      return undefined;
    }
    trim.uses.push({ kind: 'table', table: name });
    return name;
  };
}

/** An address leads to a screen: its `{path}` parts are read, its route must be one, and be there for the caller. */
function compileAddress(address: string, place: CompileContext): Emit {
  const targets = [...address.matchAll(/\{([^{}]+)\}/g)].map(([, path]) => targetOf(path as string, place));
  const pathname = (address.split(/[?#]/)[0] ?? '').replace(/\{[^{}]+\}/g, '\u0000');
  // "/" is the landing: every caller has one.
  if (pathname === '/') return trim => (targets.every(target => read(trim, target)) ? address : undefined);
  const pattern = matchRoute(place.names.patterns, pathname)?.pattern;
  if (pattern === undefined)
    report(place, `No screen has the address "${address}".${suggest(address, place.names.patterns)}`);
  else {
    const screen = place.screenByPattern.get(pattern);
    if (screen) place.refers.add(screen);
    checkQuery(address, pattern, place);
  }
  const lead = { source: place.source, at: place.at, target: address };
  return trim => {
    const there = pattern !== undefined && trim.routeIsThere(pattern);
    trim.observer?.lead?.(lead, there);
    return there && targets.every(target => read(trim, target)) ? address : undefined;
  };
}

/** What an address says in its query is something that its screen reads. */
function checkQuery(address: string, pattern: string, place: CompileContext): void {
  const file = place.names.screenFiles.get(pattern) ?? '';
  const known = place.names.routeNames.get(file);
  if (!known) return;
  const [, query = ''] = /\?([^#]*)/.exec(address) ?? [];
  for (const pair of query.split('&')) {
    const [name = '', value = ''] = pair.split('=');
    if (known.has(name)) noteQuery(name, value, file, place);
    else if (name !== '')
      report(place, `The screen at "${pattern}" takes no "${name}" from its address.${suggest(name, known)}`);
  }
}

function compilePopup(id: string, place: CompileContext): Emit {
  place.refers.add(`popup:${id}`);
  const emit = named(id, place, 'Popup', place.names.popups.keys());
  const lead = { source: place.source, at: place.at, target: `the popup "${id}"` };
  return trim => {
    const there = trim.popupIsThere(id);
    trim.observer?.lead?.(lead, there);
    return there ? emit(trim) : undefined;
  };
}

/** The popup that the help beside a heading opens; the browser gives it its parameters. */
function compileHelp(popup: string, place: CompileContext): Emit {
  checkPopup({ popup, with: { screen: '', heading: '', text: '' } }, place);
  const emit = compilePopup(popup, place);
  return trim => {
    const name = emit(trim);
    if (name !== undefined) trim.uses.push({ kind: 'popup', popup });
    return name;
  };
}

function compileOperation(name: string, place: CompileContext): Emit {
  place.mentions.operation.add(name);
  if (!place.names.operations.has(name))
    report(place, `Operation "${name}" not found.${suggest(name, place.names.operations.keys())}`);
  const requires = place.names.operations.get(name)?.requires;
  if (requires) checkAgainstAbove(requires, place, `the operation "${name}"`);
  return trim => (trim.mayCall(name) ? name : undefined);
}

function compileCatalogue(id: string, place: CompileContext): Emit {
  place.mentions.catalogue.add(id);
  if (!place.names.catalogues.has(id))
    report(place, `Catalogue "${id}" not found.${suggest(id, place.names.catalogues.keys())}`);
  return trim => trim.catalogue(id);
}
