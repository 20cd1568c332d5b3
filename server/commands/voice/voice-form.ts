import type { FieldNode, StepsNode } from '../../../shared/language/types.ts';
import { fieldsIn } from '../../../shared/rules/fields.ts';
import { formatValue } from '../../../shared/rules/format.ts';
import { letterOf } from '../../../shared/rules/row-letters.ts';
import { readRows } from '../../../shared/rules/rows.ts';
import { interpolate } from '../../../shared/rules/text.ts';
import type { OperationReplies } from '../../operations/operation-replies.ts';
import { textOf } from '../../operations/text-of.ts';
import type { CommandContext } from '../command.ts';
import type { StepProgress } from '../wizard/step-order.ts';
import { labelOf, wordsOf } from '../wizard/step-reply.ts';

/** What the cloud offers; prices are there for those who see them, in the caller's currency. */
export type VoiceCatalogue = OperationReplies['voice.catalogue'];
/** What an order would cost; a month's, and once. */
export type VoiceQuote = OperationReplies['voice.quote'];

export type Values = Readonly<Record<string, unknown>>;
/** What was typed, by step. */
export type ValuesByStep = Readonly<Record<string, Values>>;

export const voiceSteps = ['product', 'sites', 'licences', 'hardware', 'delivery', 'summary'] as const;
export type VoiceStep = (typeof voiceSteps)[number];

const product = 'SelectedProduct';
const handsetsAlone = 'hosted-voice-hardware';

/**
 * True for a step that the answers leave out: sites and licences for an order of handsets alone, hardware and delivery
 * for an order without handsets.
 */
export function isStepHidden(step: string, { product: answered = {} }: ValuesByStep): boolean {
  const isAlone = answered[product] === handsetsAlone;
  if (step === 'sites' || step === 'licences') return isAlone;
  if (step === 'hardware' || step === 'delivery') return !isAlone && answered.WithHardware !== true;
  return false;
}

/** Gives for every step of the wizard whether the answers hide it and whether it is done. */
export const statesOf = (answers: ValuesByStep, isDone: (step: VoiceStep) => boolean): StepProgress[] =>
  voiceSteps.map(id => ({ id, isHidden: isStepHidden(id, answers), isDone: isDone(id) }));

const quantityOf = (id: string): string => `Quantity_${id.replaceAll('-', '_')}`;

type Writer = (price: string) => string;

function writerOf({ caller }: CommandContext): Writer {
  const { locale, currency } = caller.principal.facts;
  return price => formatValue(price, 'currency', { locale, currency });
}

/**
 * Makes the fields of a step that depend on the cloud's catalogue (handsets, delivery options); none for other steps.
 * They come before the fields of the document.
 */
export function offeredFields(
  step: string,
  { Hardware, Delivery }: VoiceCatalogue,
  context: CommandContext,
): FieldNode[] {
  const words = wordsOf(context);
  const write = writerOf(context);
  if (step === 'hardware') {
    return Hardware.map(({ Id, Name, Description, Price, MaxQuantity }) => ({
      type: 'field',
      propertyName: quantityOf(Id),
      kind: 'number',
      label: Name,
      toolTip: Description,
      ...(Price !== undefined && { message: interpolate(words.each, { price: write(Price) }) }),
      min: 0,
      max: MaxQuantity,
      pattern: 'digits',
    }));
  }
  if (step !== 'delivery') return [];
  return [
    {
      type: 'field',
      propertyName: 'DeliveryOption',
      kind: 'radio',
      label: labelOf(words, 'delivery'),
      mandatory: true,
      wide: true,
      options: Delivery.map(({ Id, Name, Description, Cost }) => ({
        value: Id,
        text: Cost === undefined ? Name : interpolate(words.priced, { name: Name, price: write(Cost) }),
        hint: Description,
      })),
    },
  ];
}

/**
 * Gives all fields of a step of a voice order: those that the catalogue offers, then those that the layout document has
 * for this caller.
 */
export function fieldsOfStep(step: string, catalogue: VoiceCatalogue, context: CommandContext): FieldNode[] {
  const unit = (context.node as StepsNode).steps.find(({ id }) => id === step);
  return [...offeredFields(step, catalogue, context), ...fieldsIn(unit?.children)];
}

const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0);

/**
 * Finds what a step lacks as a whole (no site, no licence, no handset): the key of the message and the field that shows
 * it; undefined when nothing is missing.
 */
export function findMissing(
  step: string,
  fields: readonly FieldNode[],
  values: Values,
): { readonly field: string; readonly word: string } | undefined {
  const isEmpty = (names: readonly string[]) => names.every(name => numberOf(values[name]) === 0);
  if (step === 'sites' && readRows('Sites', values).length === 0) return { field: 'Sites', word: 'someSite' };
  if (step === 'licences' && isEmpty(['MitelLicences', 'NonMitelLicences']))
    return { field: 'MitelLicences', word: 'someLicence' };
  const quantities = fields.map(({ propertyName }) => propertyName);
  if (step === 'hardware' && isEmpty(quantities)) return { field: quantities[0] ?? '', word: 'someHandset' };
  return undefined;
}

/** Gives the answers of a step; none of a hidden step. */
const answered = (answers: ValuesByStep, step: VoiceStep): Values =>
  isStepHidden(step, answers) ? {} : (answers[step] ?? {});

/**
 * Makes the body of the cloud's order request from the answers (document 2, section 3). Answers of hidden steps are
 * left out.
 */
export function voiceOrder(reference: string, answers: ValuesByStep, { Hardware: offered }: VoiceCatalogue) {
  const [licences, hardware, delivery] = (['licences', 'hardware', 'delivery'] as const).map(step =>
    answered(answers, step),
  ) as [Values, Values, Values];
  const Hardware = offered
    .map(({ Id }) => ({ ProductId: Id, Quantity: numberOf(hardware[quantityOf(Id)]) }))
    .filter(({ Quantity }) => Quantity > 0);
  const lines = ['Address1', 'Address2', 'Address3', 'TownCity', 'County', 'PostCode', 'Telephone'];
  return {
    Reference: reference,
    SelectedProduct: answers.product?.[product],
    Sites: sitesOf(answers),
    MitelLicences: numberOf(licences.MitelLicences),
    NonMitelLicences: numberOf(licences.NonMitelLicences),
    CallReportingAddress: textOf(licences.CallReportingAddress),
    BandwidthConfirmed: licences.BandwidthConfirmed === true,
    Hardware,
    DeliveryOption: textOf(delivery.DeliveryOption),
    HardwareAddress:
      Hardware.length === 0 ? null : Object.fromEntries(lines.map(name => [name, textOf(delivery[name])])),
  };
}

const sitesOf = (answers: ValuesByStep): Values[] =>
  readRows('Sites', answered(answers, 'sites')).map(site => ({ Address2: '', County: '', ...site }));

const joined = (...lines: readonly unknown[]): string => lines.map(textOf).filter(Boolean).join(', ');

/**
 * Makes the values of the summary step from the answers: names in place of ids, addresses on one line, a letter for
 * each site, and the fields of `quote` as they are. Removes no prices: `ask` has left them out of the quote for a
 * caller that sees none.
 */
export function summariseVoiceOrder(
  answers: ValuesByStep,
  { Products, Delivery }: VoiceCatalogue,
  quote: VoiceQuote,
  context: CommandContext,
): Values {
  const words = wordsOf(context);
  const [licences, delivery] = [answered(answers, 'licences'), answered(answers, 'delivery')];
  const { Address1, Address2, Address3, TownCity, County, PostCode } = delivery;
  return {
    ...quote,
    Product: Products.find(({ Id }) => Id === answers.product?.[product])?.Name,
    MitelLicences: licences.MitelLicences,
    NonMitelLicences: licences.NonMitelLicences,
    CallReportingAddress: licences.CallReportingAddress,
    Delivery: Delivery.find(({ Id }) => Id === delivery.DeliveryOption)?.Name,
    DeliveryAddress: joined(Address1, Address2, Address3, TownCity, County, PostCode),
    Sites: sitesOf(answers).map((site, index) => ({
      Letter: letterOf(index),
      Name: interpolate(words.siteNamed, { letter: letterOf(index), name: site.SiteName }),
      Address: joined(site.Address1, site.Address2, site.Town, site.County, site.Postcode),
    })),
  };
}
