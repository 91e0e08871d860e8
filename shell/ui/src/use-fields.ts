import { useRef, useState } from 'react';
import { useIntl } from 'react-intl';
import type { FormError } from './form';
import type { Refusal } from './reasons';

export type Wrong<V> = { [K in keyof V]?: string | undefined };

export interface FieldsOptions<V> {
  /** The current values. Give the component another `key` when the form edits another object. */
  initial: V;
  /** Returns the error text of each invalid field. Must be pure. */
  check(values: V): Wrong<V>;
  /** Whether saving requires a change from `initial` (2.3-save-enabled). Set it to false for forms that start empty. */
  changes?: boolean | undefined;
}

/**
 * Runs `show` after the current press. Pressing a button often takes focus from a field. An error that appeared immediately would
 * move the button away from the pointer, and the press would be lost.
 */
export function afterPress(show: () => void) {
  if (!document.querySelector('button:active, a:active, label:active')) return show();
  const over = () => {
    window.removeEventListener('pointerup', over);
    window.removeEventListener('pointercancel', over);
    setTimeout(show);
  };
  window.addEventListener('pointerup', over);
  window.addEventListener('pointercancel', over);
}

/**
 * Keeps the state of a form. The error of a changed field is shown when the field loses focus, all errors after a submit. Errors of
 * the server stay until their field is changed.
 */
export function useFields<V extends Record<string, unknown>>({ initial, check, changes = true }: FieldsOptions<V>) {
  const intl = useIntl();
  const [values, setValues] = useState(initial);
  const [touched, setTouched] = useState<Partial<Record<keyof V, true>>>({});
  const [showAll, setShowAll] = useState(false);
  const [refused, setRefused] = useState<Wrong<V>>({});
  // Separate from the difference with `initial`: a wizard stores what is typed, so `initial` changes with it, and a field that the
  // customer has cleared again counts as not filled in.
  const changed = useRef<Partial<Record<keyof V, true>>>({});
  const names = Object.keys(values) as (keyof V & string)[];
  const wrong = check(values);
  const valid = names.every((name) => !wrong[name] && !refused[name]);
  const dirty = names.some((name) => !Object.is(values[name], initial[name]));
  const shown = (name: keyof V) => refused[name] ?? (showAll || touched[name] ? wrong[name] : undefined);

  const set = <K extends keyof V>(name: K, value: V[K]) => {
    changed.current[name] = true;
    setValues((now) => ({ ...now, [name]: value }));
    setRefused((now) => ({ ...now, [name]: undefined }));
  };
  const disabledReason =
    changes && !dirty
      ? intl.formatMessage({ id: 'ui.not_changed', defaultMessage: 'Nothing has been changed yet.' })
      : !valid
        ? intl.formatMessage({ id: 'ui.not_valid', defaultMessage: 'Not everything has been filled in correctly yet.' })
        : undefined;
  /** The fields that cause the `disabledReason`; none before anything has been changed. */
  const refusal: Refusal | undefined =
    disabledReason && (dirty || !changes)
      ? { reason: disabledReason, fields: names.filter((name) => wrong[name] || refused[name]) }
      : undefined;
  return {
    values,
    set,
    dirty,
    valid,
    /** Returns the props of a field. */
    field: <K extends keyof V & string>(name: K) => ({
      name,
      value: values[name],
      error: shown(name),
      onChange: (value: V[K]) => set(name, value),
      onBlur: () => {
        if (changed.current[name]) afterPress(() => setTouched((now) => ({ ...now, [name]: true })));
      },
    }),
    /** Returns the props of a Checkbox. */
    box: <K extends keyof V & string>(name: K) => ({
      name,
      checked: values[name] === true,
      error: shown(name),
      onChange: (checked: boolean) => set(name, checked as V[K]),
    }),
    /** Sets the errors of the server, a text per field. */
    refuse: (errors: Wrong<V>) => setRefused(errors),
    /** Starts again with `next` as the initial values, e.g. after saving. */
    reset: (next: V = initial) => {
      setValues(next);
      setTouched({});
      changed.current = {};
      setShowAll(false);
      setRefused({});
    },
    /** Why the save button cannot be used, or undefined. */
    disabledReason,
    /** Returns the props of the Form. `save` is called only with valid values. */
    form: (save: (values: V) => void) => ({
      errors: names.flatMap((name): FormError[] => {
        const text = shown(name);
        return text ? [{ field: name, text }] : [];
      }),
      refusal,
      onRefused: () => setShowAll(true),
      onSubmit: () => {
        setShowAll(true);
        if (valid) save(values);
      },
    }),
  };
}
