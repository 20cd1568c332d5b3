import { Ajv, type ValidateFunction } from 'ajv';
import type { DeliveredNode, FieldNode, Node, Operation } from '../../../shared/language/types.ts';
import { convertDynamicForm } from '../../../shared/models/convert-dynamic-form.ts';
import { convertGenericPopup, itemType } from '../../../shared/models/convert-generic-popup.ts';
import { type WireForm, wireFormSchema } from '../../../shared/models/dynamic-form.ts';
import {
  type WirePopup,
  type WirePopupSchema,
  wirePopupSchema,
  wirePopupSchemaSchema,
} from '../../../shared/models/generic-popup.ts';
import { fieldsIn } from '../../../shared/rules/fields.ts';
import { createPattern } from '../../../shared/rules/pattern.ts';
import { matchRoute } from '../../../shared/rules/route.ts';
import { PortalError } from '../../errors.ts';
import { createPatternTest } from '../../layouts/names/pattern.ts';
import { sanitise } from '../../layouts/project/cut.ts';
import { type Call, call } from '../../operations/ask.ts';
import type { CommandContext } from '../command.ts';

type Data = Readonly<Record<string, unknown>>;

/** A form or popup of the cloud, checked and in the language of layouts. */
export type Model = {
  readonly title?: string;
  readonly children: readonly Node[];
  readonly values: Readonly<Record<string, unknown>>;
  readonly events: readonly string[];
  readonly fields: readonly FieldNode[];
  /** All that the popup's data holds; the visible values are laid over it (document 2, section 7). */
  readonly data: Data;
  readonly submit: Call;
};

const ajv = new Ajv({ allErrors: false, strict: false });
const isForm = ajv.compile<WireForm>(wireFormSchema);
const isPopup = ajv.compile<WirePopup>(wirePopupSchema);
const isPopupSchema = ajv.compile<WirePopupSchema>(wirePopupSchemaSchema);

function read<T>(check: ValidateFunction<T>, value: unknown, what: string): T {
  if (check(value)) return value;
  throw new PortalError('MODEL_INVALID', { detail: `${what}: ${ajv.errorsText(check.errors)}` });
}

const isObject = (value: unknown): value is Data =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/**
 * Checks a dynamic form that the cloud delivers.
 * @throws {PortalError} MODEL_INVALID
 */
export const checkDeliveredForm = (model: unknown): WireForm => read(isForm, model, 'dynamic form');

/** Fields have names of their own, and patterns that are patterns. */
function checkFields(fields: readonly FieldNode[]): void {
  const names = new Set(fields.map(field => field.propertyName));
  if (names.size < fields.length) throw new PortalError('MODEL_INVALID', { detail: 'a name is used twice' });
  for (const { propertyName, regex } of fields) {
    try {
      if (regex !== undefined) createPattern(regex);
    } catch (cause) {
      throw new PortalError('MODEL_INVALID', { cause, detail: `pattern of ${propertyName}` });
    }
  }
}

/**
 * Finds the operation that a delivered path stands for, among those that the node lists: by its method and by
 * matching its path, query included. Anything else that the cloud names is refused.
 */
function resolvePath(context: CommandContext, node: DeliveredNode, path: string, method: Operation['method']): Call {
  const [pathname = '', query = ''] = path.split('?');
  for (const name of node.operations) {
    const operation = context.caller.version.operations.get(name);
    if (operation?.method !== method) continue;
    const match = matchRoute([operation.path], pathname);
    if (!match) continue;
    const parameters: Record<string, unknown> = { ...match.parameters };
    for (const [key, value] of new URLSearchParams(query)) if (!Object.hasOwn(parameters, key)) parameters[key] = value;
    return { name, operation, parameters };
  }
  throw new PortalError('MODEL_INVALID', { detail: `${method} ${path.slice(0, 200)} is no operation of ${node.id}` });
}

function firstCall({ caller, with: parameters }: CommandContext, name: string): Call {
  const operation = caller.version.operations.get(name);
  if (!operation) throw new PortalError('MODEL_INVALID', { detail: `no operation ${name}` });
  return { name, operation, parameters };
}

async function readForm(context: CommandContext, node: DeliveredNode): Promise<Model> {
  const { Result } = await call(context, firstCall(context, node.operation));
  const fields = convertDynamicForm(checkDeliveredForm(Result), context.caller.access.serverText('field.mandatory'));
  return {
    children: fields,
    values: {},
    events: [],
    fields,
    data: {},
    submit: firstCall(context, node.operations[0] ?? ''),
  };
}

const methods = { post: 'POST', put: 'PUT', delete: 'DELETE' } as const;

/** HTML comes in the data, in the label, or in both; either way it is the cloud's and is not trusted. */
function htmlOf(label: string | null | undefined, value: unknown): string {
  const content = typeof value === 'string' ? value : '';
  if (!label) return sanitise(content);
  return sanitise(content === '' ? label : `<p><strong>${label}</strong></p>${content}`);
}

/** The first values of what is shown; nothing leaves that no item shows. */
function valuesOf({ Items }: WirePopupSchema, data: Data): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const { DataItem, Label, Type } of Items) {
    const value = Object.hasOwn(data, DataItem) ? data[DataItem] : undefined;
    if (Type === itemType.htmlDisplay) values[DataItem] = htmlOf(Label, value);
    else if (Type !== itemType.subHeader && value !== undefined && (value === null || typeof value !== 'object'))
      values[DataItem] = value;
  }
  return values;
}

async function readPopup(context: CommandContext, node: DeliveredNode): Promise<Model> {
  const { Result } = await call(context, firstCall(context, node.operation));
  const popup = read(isPopup, Result, 'popup');
  const [schemaReply, dataReply] = await Promise.all([
    call(context, resolvePath(context, node, popup.ApiGetSchemaPath, 'GET')),
    call(context, resolvePath(context, node, popup.ApiGetDataPath, 'GET')),
  ]);
  const schema = read(isPopupSchema, schemaReply.Result, 'popup schema');
  if (!isObject(dataReply.Result)) throw new PortalError('MODEL_INVALID', { detail: 'popup data' });
  const children = convertGenericPopup(schema, createPatternTest());
  const method = methods[popup.ApiSubmitRequestMethod as keyof typeof methods];
  return {
    title: popup.Title,
    children,
    values: valuesOf(schema, dataReply.Result),
    events: (schema.UpdateEvent ?? '').split('|').filter(event => event !== ''),
    fields: fieldsIn(children),
    data: dataReply.Result,
    submit: resolvePath(context, node, popup.ApiSubmitPath, method),
  };
}

/**
 * Fetches the form or popup model that a `delivered` node shows from the cloud, checks it, and converts it to nodes and
 * values.
 * @throws {PortalError} MODEL_INVALID when the cloud's model is malformed, and as `call`
 */
export async function readModel(context: CommandContext): Promise<Model> {
  const node = context.node as DeliveredNode;
  const model = node.model === 'dynamic-form' ? await readForm(context, node) : await readPopup(context, node);
  checkFields(model.fields);
  return model;
}
