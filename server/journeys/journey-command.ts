import type { Envelope } from '../../shared/contract/envelope.ts';
import type { StepsNode } from '../../shared/language/types.ts';
import { interpolate } from '../../shared/rules/text.ts';
import type { Command, CommandContext } from '../commands/command.ts';
import { PortalError } from '../errors.ts';
import type { Version } from '../layouts/index.ts';
import { keepCommand, leadCommand } from '../layouts/resolve/journeys.ts';
import { Declined } from '../operations/cloud-refusal.ts';
import type { JourneyRun } from './journey-steps.ts';
import { keep, lead } from './lead.ts';

/** What the caller's own parameters are set to, whatever the browser says. */
function parametersOf({ own = {} }: JourneyRun['journey'], { caller, with: given, press }: CommandContext) {
  const { type, facts } = caller.principal;
  const bound = Object.entries(own).filter(([, { userTypes }]) => userTypes.includes(type));
  const ownValues = bound.map(([name, { is }]) => [name, facts[is.slice('principal.'.length) as keyof typeof facts]]);
  return { reference: press ?? '', ...given, ...Object.fromEntries(ownValues) };
}

/** What is wrong with delivered fields goes by the names that these have, and not by where the body has them. */
function withFieldNames(Errors: Envelope['Errors'], { steps }: JourneyRun['journey']): Envelope['Errors'] {
  const groups = steps.flatMap(({ deliveredAs }) => deliveredAs ?? []);
  const named = Object.entries(Errors ?? {}).map(([name, said]) => {
    const group = groups.find(own => name.startsWith(`${own}.`) || name.startsWith(`${own}/`));
    return [group === undefined ? name : name.slice(group.length + 1), said] as const;
  });
  return Errors && Object.fromEntries(named);
}

/** All that was said of a refusal, since a page shows the first message; failures of the cloud in the journey's words. */
function told(error: unknown, { failedText }: StepsNode, journey: JourneyRun['journey']): unknown {
  if (error instanceof Declined) {
    const { envelope, ...reply } = error.reply;
    const { Messages = [], Errors } = envelope;
    const more = {
      ...(Messages.length > 1 && { Messages: [Messages.join(' ')] }),
      ...(Errors && { Errors: withFieldNames(Errors, journey) }),
    };
    return new Declined({ ...reply, envelope: { ...envelope, ...more } as Envelope });
  }
  if (failedText === undefined || !(error instanceof PortalError) || !error.code.startsWith('UPSTREAM_')) return error;
  return new PortalError(error.code, { ...error.parts, said: interpolate(failedText, {}) });
}

/** Finds the command of a journey by its name (`<journey>.step` or `<journey>.keep`); undefined for any other name. */
export function findJourneyCommand(name: string, { journeys }: Version): Command | undefined {
  const [id = '', ...rest] = name.split('.');
  const found = journeys.get(id);
  if (!found || rest.length !== 1) return undefined;
  const run = name === leadCommand(id) ? lead : name === keepCommand(id) && found.journey.draft ? keep : undefined;
  return (
    run && {
      declaration: { name, ownBody: true },
      run(context) {
        const node = context.node as StepsNode;
        const parameters = parametersOf(found.journey, context);
        return run({ context, ...found, node, parameters, preparedSteps: new Map() }).catch(error => {
          throw told(error, node, found.journey);
        });
      },
    }
  );
}
