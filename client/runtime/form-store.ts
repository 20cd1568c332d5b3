import type { Envelope } from '../../shared/contract/envelope.ts';
import type { FieldNode } from '../../shared/language/types.ts';
import type { Scope } from '../../shared/rules/path.ts';
import { checkForm, checkValue, type FieldError, normaliseValue } from '../../shared/rules/validation.ts';
import { type Activity, trackActivity } from './form-activity.ts';
import { type Channel, createFieldChannel, type FieldChannel, joinChannels } from './form-channel.ts';
import { testPattern } from './pattern.ts';
import type { PostCall } from './post-call.ts';

type Values = Readonly<Record<string, unknown>>;

/** What validates a value of many parts, such as the rows of a grid, whose errors stand at the parts. */
export type GridValidator = {
  /** Shows what is wrong; false when anything is. */
  check(): boolean;
  /** Takes what the server says of a part, by the names that lead to it, as in "Values.10001.Domain". */
  refuse(path: string, text: string): true;
};

/**
 * The values of one form, with a subscription per name, so that a keystroke draws one field. Besides its fields
 * a form has the names `$changed` (differs from what was loaded) and `$failures` (refused or invalid submits).
 */
export type FormStore = {
  /** Prefix of the ids of its inputs. */
  readonly id: string;
  /** True where leaving would lose something worth a question. */
  guarded: boolean;
  /** How a form is posted that holds a file. */
  post?: PostCall | undefined;
  /** True for the roomy fields of the sign-in card. */
  large: boolean;
  /** The same channel for the same name, or for the same list of names. */
  channel(name: string | readonly string[]): Channel;
  /** The value as typed. */
  value(name: string): unknown;
  /** The value as conditions see it, which is as it is sent: a field that is hidden or disabled has none. */
  read(name: string): unknown;
  /** All that conditions and bindings may read, as the `form` scope. */
  readAll(): Values;
  /** True for a name that more than one field bears. */
  isShared(name: string): boolean;
  /** What is wrong with a field: said by the server, or found here once the field was touched. */
  error(name: string): FieldError | string | undefined;
  set(name: string, value: unknown): void;
  touch(name: string): void;
  /** Checks everything. Undefined when something is wrong; else what is sent. */
  submit(): Values | undefined;
  /** Id of the input of the first field that is wrong. */
  firstWrong(): string | undefined;
  /** Takes the server's refusal; gives the messages that belong to no field of this form. */
  refuse(errors: Readonly<Record<string, readonly string[]>>): string[];
  /** One more, or as many as `count`; never fewer than there were: what was asked for is not taken back. */
  setFailures(count?: number): void;
  /** Those that validate a value themselves, by its name. */
  readonly validators: Map<string, GridValidator>;
  /** What is there counts as loaded from now on, which is when a reply took it in. */
  settle(reply?: Envelope): void;
  /** Newer first values: fields that the user has changed keep what was typed. */
  load(first: Values): void;
  reset(): void;
  /** A live edit of the fields. */
  configure(fields: readonly FieldNode[], scope: Scope): void;
  /** True where a password or a code may be typed. */
  hasSecrets(): boolean;
  /** What may be kept over an expired session: no passwords, no codes, nothing hidden. */
  keep(): Values;
};

/** Never kept: a file is not there any more on another page. */
const secret = ['password', 'one-time-code', 'file'];
const pseudo = ['$changed', '$failures'];

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || value === '' || value === false;
}

function isSame(a: unknown, b: unknown): boolean {
  return Object.is(a, b) || (isBlank(a) && isBlank(b));
}

/**
 * Creates the state of a form: values, errors, changed and touched fields. `id` prefixes the ids of its inputs; `first`
 * holds the first values.
 */
export function createForm(
  id: string,
  fieldsAtFirst: readonly FieldNode[],
  first: Values,
  scopeAtFirst: Scope,
): FormStore {
  let fields = fieldsAtFirst;
  let scope = scopeAtFirst;
  let loaded = first;
  let values: Record<string, unknown> = { ...first };
  let failures = 0;
  let byName: ReadonlyMap<string, FieldNode>;
  let shared: ReadonlySet<string>;
  let activity: Activity;
  const changed = new Set<string>();
  const touched = new Set<string>();
  const refused = new Map<string, string>();
  const validators = new Map<string, GridValidator>();
  const fieldChannels = new Map<string, FieldChannel>();
  const channels = new Map<readonly string[], Channel>();

  const valueAt = (name: string): unknown => {
    if (name === '$changed') return changed.size > 0;
    return name === '$failures' ? failures : values[name];
  };
  const read = (name: string): unknown => {
    if (!activity.isActive(name)) return undefined;
    const field = byName.get(name);
    return field ? normaliseValue(field, values[name]) : valueAt(name);
  };

  function fieldChannelOf(name: string): FieldChannel {
    let channel = fieldChannels.get(name);
    if (!channel) {
      channel = createFieldChannel();
      fieldChannels.set(name, channel);
    }
    return channel;
  }

  const tell = (name: string): void => fieldChannels.get(name)?.tell();

  /** After a value has changed: what its field and all that depend on it show. */
  function changeOf(name: string): void {
    tell(name);
    for (const other of activity.evaluate(name)) tell(other);
  }

  function mark(name: string): void {
    const field = byName.get(name);
    const before = changed.size > 0;
    const [now, then] = [values[name], loaded[name]];
    if (isSame(now, then) || (field && isSame(normaliseValue(field, now), normaliseValue(field, then))))
      changed.delete(name);
    else changed.add(name);
    if (before !== changed.size > 0) changeOf('$changed');
  }

  function error(name: string): FieldError | string | undefined {
    const said = refused.get(name);
    const field = byName.get(name);
    if (said !== undefined || !field || !touched.has(name) || !activity.isActive(name)) return said;
    return checkValue(field, normaliseValue(field, values[name]), testPattern);
  }

  function setFailures(count = failures + 1): void {
    failures = Math.max(failures, count);
    changeOf('$failures');
  }

  function configure(nextFields: readonly FieldNode[], nextScope: Scope): void {
    fields = nextFields;
    scope = nextScope;
    byName = new Map(fields.map(field => [field.propertyName, field]));
    shared = new Set(fields.filter(field => byName.get(field.propertyName) !== field).map(field => field.propertyName));
    activity = trackActivity(fields, scope, valueAt);
  }

  /** Everything may have changed. */
  function tellAll(): void {
    activity.evaluate();
    for (const name of byName.keys()) tell(name);
    for (const name of pseudo) tell(name);
  }

  configure(fields, scope);
  return {
    id,
    validators: validators,
    guarded: false,
    large: false,
    channel(name) {
      if (typeof name === 'string') return fieldChannelOf(name);
      let channel = channels.get(name);
      if (!channel) {
        channel = joinChannels(name.map(fieldChannelOf));
        channels.set(name, channel);
      }
      return channel;
    },
    value: name => values[name],
    isShared: name => shared.has(name),
    read,
    readAll: () => Object.fromEntries([...Object.keys(values), ...pseudo].map(name => [name, read(name)])),
    error,
    set(name, value) {
      if (Object.is(values[name], value)) return;
      values[name] = value;
      refused.delete(name);
      touched.add(name);
      mark(name);
      changeOf(name);
    },
    touch(name) {
      if (touched.has(name)) return;
      touched.add(name);
      tell(name);
    },
    submit() {
      // What the server said of the values before says nothing of these.
      const before = [...refused.keys()];
      refused.clear();
      before.forEach(tell);
      // Conditions of fields read these two beside the values.
      const conditionValues = { ...values, $changed: changed.size > 0, $failures: failures };
      const result = checkForm(fields, conditionValues, scope, testPattern);
      let isRight = Object.keys(result.errors).length === 0;
      for (const validator of validators.values()) isRight = validator.check() && isRight;
      if (isRight) return result.values;
      for (const name of byName.keys()) {
        touched.add(name);
        tell(name);
      }
      setFailures();
      return undefined;
    },
    firstWrong() {
      const wrong = fields.find(field => error(field.propertyName) !== undefined);
      return wrong && `${id}-${wrong.propertyName}`;
    },
    refuse(errors) {
      const others: string[] = [];
      for (const [name, messages] of Object.entries(errors)) {
        // A hidden field has nowhere to show it.
        if (byName.has(name) && byName.get(name)?.kind !== 'hidden' && activity.isActive(name)) {
          refused.set(name, messages.join(' '));
          tell(name);
        } else if (!validators.get(name.split('.')[0] as string)?.refuse(name, messages.join(' ')))
          others.push(...messages);
      }
      return others;
    },
    setFailures,
    settle() {
      loaded = { ...values };
      changed.clear();
      touched.clear();
      refused.clear();
      tellAll();
    },
    load(next) {
      const before = loaded;
      loaded = next;
      for (const name of byName.keys()) {
        // Loaded as empty is not the same on the wire as not there.
        if (!changed.has(name)) values[name] = next[name];
        if (isSame(before[name], next[name])) continue;
        mark(name);
        changeOf(name);
      }
    },
    reset() {
      values = { ...loaded };
      changed.clear();
      touched.clear();
      refused.clear();
      tellAll();
    },
    configure(nextFields, nextScope) {
      if (nextFields === fields && nextScope.principal === scope.principal) return;
      configure(nextFields, nextScope);
      tellAll();
    },
    hasSecrets: () => fields.some(({ kind }) => secret.includes(kind)),
    keep() {
      const kept = fields.filter(
        ({ propertyName, kind }) => changed.has(propertyName) && kind !== 'hidden' && !secret.includes(kind),
      );
      return Object.fromEntries(kept.map(field => [field.propertyName, values[field.propertyName]]));
    },
  };
}
