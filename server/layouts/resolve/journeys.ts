import { drawnOfJourney, serverOnlyOfStep } from '../../../shared/language/journey.ts';
import { rulesOf } from '../../../shared/language/nodes.ts';
import type { Journey, JourneyCall, Operation, WrittenRequirement } from '../../../shared/language/types.ts';
import type { CommandDeclaration } from '../names/command-declaration.ts';
import type { Json } from '../names/json.ts';
import type { LongDocument, Pointer } from '../names/source.ts';
import { mapChanged } from './map-changed.ts';

/** Gives a journey document's JSON as a Journey; its shape must have been checked before. */
export const journeyOf = (source: LongDocument): Journey => source.json as unknown as Journey;

/** Gives the name of the command that leads through a journey, `<journey>.step`. */
export const leadCommand = (journey: string): string => `${journey}.step`;
/** Gives the name of the command that saves a journey's draft, `<journey>.keep`. */
export const keepCommand = (journey: string): string => `${journey}.keep`;

/** Lists every call (operation or command) of a journey, with its position in the document. */
export function callsOfJourney({ prepare = {}, steps, place }: Journey): { call: JourneyCall; at: Pointer }[] {
  const named = (calls: Readonly<Record<string, JourneyCall>>, at: Pointer) =>
    Object.entries(calls).map(([name, call]) => ({ call, at: [...at, name] }));
  return [
    ...named(prepare, ['prepare']),
    ...steps.flatMap(({ prepare: ofStep = {}, judge, quote = {}, estimate = {} }, index) => [
      ...named(ofStep, ['steps', index, 'prepare']),
      ...named(quote, ['steps', index, 'quote']),
      ...named(estimate, ['steps', index, 'estimate']),
      ...(judge ? [{ call: judge, at: ['steps', index, 'judge'] }] : []),
    ]),
    { call: place, at: ['place'] },
  ];
}

/**
 * Gives a journey with the body of its last call written out, where that refers to the body of a quote (`{ "of": … }`).
 */
export function withSharedBody(source: LongDocument): LongDocument {
  const { place, prepare, steps } = journeyOf(source);
  const { of } = (place.body ?? {}) as { readonly of?: unknown };
  const calls: Readonly<Record<string, JourneyCall>> = Object.assign({}, prepare, ...steps.map(({ quote }) => quote));
  const body = typeof of === 'string' && Object.hasOwn(calls, of) ? calls[of]?.body : undefined;
  return body === undefined ? source : { ...source, json: { ...source.json, place: { ...place, body } } };
}

/**
 * Declares the commands of all journeys for the compiler. Who lacks the right to a journey's last call lacks its
 * commands too, and so the wizard. `known` are the server's own commands, which journeys may run.
 */
export function journeyCommands(
  journeys: readonly LongDocument[],
  known: readonly CommandDeclaration[],
  operations: ReadonlyMap<string, Operation>,
): readonly CommandDeclaration[] {
  return journeys.flatMap(source => {
    const journey = journeyOf(source);
    const calls = callsOfJourney(journey).map(({ call }) => call);
    const run = [...calls, ...journey.steps.flatMap(({ gate }) => (gate ? [gate] : []))].flatMap(({ command }) =>
      known.filter(({ name }) => name === command),
    );
    const asks = [
      ...calls.flatMap(({ operation }) => (operation === undefined ? [] : [operation])),
      ...run.flatMap(command => command.asks ?? []),
    ];
    const { operation, command } = journey.place;
    const placing = operations.get(operation ?? '')?.requires ?? known.find(({ name }) => name === command)?.requires;
    const written = [journey.requires, placing].filter(requires => requires !== undefined);
    const needed = [...new Map(written.map(requires => [JSON.stringify(requires), requires])).values()];
    const common = {
      parameters: journey.parameters ?? [],
      ownBody: true,
      asks: [...new Set(asks)],
      runs: [...new Set(run.map(({ name }) => name))],
      ...(needed.length > 0 && { requires: needed.length > 1 ? { all: needed } : (needed[0] as WrittenRequirement) }),
    };
    // A wizard is told by what it does in the end.
    const toldAs = operation ?? command;
    const draft = { of: { version: 'count', at: 'time' } } as const;
    const anyones = (kind: string) => ({ kind, requires: 'anyone' });
    return [
      {
        ...common,
        name: leadCommand(journey.id),
        ...(toldAs !== undefined && { toldAs }),
        opens: run.flatMap(command => command.opens ?? []),
        reply: {
          step: 'text',
          title: 'text?',
          // What stands in these has been cut to what the caller may have.
          nodes: anyones('model:nodes?'),
          values: anyones('model:values'),
          data: anyones('model:values?'),
          answers: anyones('model:values?'),
          facts: anyones('model:values?'),
          steps: { of: [{ id: 'text', isDone: 'yes-no', isOpen: 'yes-no' }] },
          draft: { ...draft, optional: true },
          waits: 'yes-no?',
        },
      },
      ...(journey.draft ? [{ ...common, name: keepCommand(journey.id), reply: { draft } }] : []),
    ] satisfies CommandDeclaration[];
  });
}

type Expansion = { readonly at: Pointer; readonly own: Json; readonly journey: LongDocument };

/**
 * Gives a document in which each node that names a journey contains all nodes that the journey draws. Problems there
 * are reported at the journey's file.
 */
export function expandJourneys(source: LongDocument, journeys: ReadonlyMap<string, LongDocument>): LongDocument {
  if (journeys.size === 0 || (source.kind !== 'screen' && source.kind !== 'popup')) return source;
  const expansions: Expansion[] = [];
  const expand = (value: unknown, at: Pointer): unknown => {
    if (value === null || typeof value !== 'object') return value;
    const isList = Array.isArray(value);
    const node = value as Json;
    const rule = isList ? undefined : rulesOf(String(node.type)).journey;
    const journey = rule && journeys.get(String(node[rule.name]));
    if (journey) {
      expansions.push({ at, own: node, journey });
      return { ...drawn(journeyOf(journey), node), ...node };
    }
    return mapChanged(value, (item, name) => expand(item, [...at, isList ? Number(name) : name]));
  };
  const json = expand(source.json, []) as LongDocument['json'];
  if (expansions.length === 0) return source;
  const guessedTexts = new Set(
    [source, ...expansions.map(({ journey }) => journey)].flatMap(one => [...(one.guessedTexts ?? [])]),
  );
  return {
    ...source,
    json,
    isComposed: true,
    ...(guessedTexts.size > 0 && { guessedTexts }),
    problem(at, ...said) {
      const found = expansions.find(
        expansion => expansion.at.length < at.length && expansion.at.every((step, index) => step === at[index]),
      );
      const [name, ...rest] = found ? at.slice(found.at.length) : [];
      if (!found || name === undefined || Object.hasOwn(found.own, name)) return source.problem(at, ...said);
      return name === 'on' ? source.problem(found.at, ...said) : found.journey.problem([name, ...rest], ...said);
    },
  };
}

function drawn(journey: Journey, { with: given }: Json): Json {
  const { steps, draft, keeps } = journey;
  const own = drawnOfJourney.flatMap(name => (journey[name] === undefined ? [] : [[name, journey[name]] as const]));
  const effect = (command: string) => [{ do: 'command', command, ...(given !== undefined && { with: given }) }];
  const { for: _, ...texts } = draft ?? {};
  return {
    ...Object.fromEntries(own),
    steps: steps.map(step => ({
      ...Object.fromEntries(
        Object.entries(step).filter(([name]) => !(serverOnlyOfStep as readonly string[]).includes(name)),
      ),
      ...((step.estimate || (keeps && !step.summary)) && { live: true }),
    })),
    ...(draft && { draft: texts }),
    ...(keeps && { keptText: keeps.text }),
    on: {
      step: effect(leadCommand(journey.id)),
      ...(draft && { keep: effect(keepCommand(journey.id)) }),
    },
  };
}
