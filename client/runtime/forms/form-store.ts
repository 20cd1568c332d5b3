import type { FieldNode } from '../../../shared/language/types.ts';
import type { Scope } from '../../../shared/rules/path.ts';
import { checkForm, checkValue, type FieldError, normaliseValue } from '../../../shared/rules/validation.ts';
import type { Channel, FormStore, GridValidator } from '../state/form-types.ts';
import { type Activity, trackActivity } from './form-activity.ts';
import { createFieldChannel, type FieldChannel, joinChannels } from './form-channel.ts';
import { testPattern } from './pattern.ts';

type Values = Readonly<Record<string, unknown>>;

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
