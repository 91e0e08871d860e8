import { useRef, useState } from 'react';
import { useIntl } from 'react-intl';
import type { FormError } from './form';

export type Wrong<V> = { [K in keyof V]?: string | undefined };

export interface FieldsOptions<V> {
  /** The current values: what saving would change. Give the component a `key` when it is about something else. */
  initial: V;
  /** What is wrong, per field, as text; pure. */
  check(values: V): Wrong<V>;
  /** Saving needs a difference from `initial` (2.3-save-enabled); false for forms that begin empty. */
  changes?: boolean | undefined;
}

/**
 * A field is often left by pressing a button. An error that appears at once would push that button away from under the pointer, and
 * the press would be lost: wait until it is over.
 */
function afterPress(show: () => void) {
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
 * The values of a form. Errors show when a changed field is left, and all of them after a submit; the server's own errors stay until
 * their field is changed.
 */
export function useFields<V extends Record<string, unknown>>({ initial, check, changes = true }: FieldsOptions<V>) {
  const intl = useIntl();
  const [values, setValues] = useState(initial);
  const [left, setLeft] = useState<Partial<Record<keyof V, true>>>({});
  const [all, setAll] = useState(false);
  const [refused, setRefused] = useState<Wrong<V>>({});
  // Apart from the difference with `initial`: a wizard keeps what is typed, so that its initial values follow it, and who clears a field
  // again has filled nothing in.
  const changed = useRef<Partial<Record<keyof V, true>>>({});
  const names = Object.keys(values) as (keyof V & string)[];
  const wrong = check(values);
  const valid = names.every((name) => !wrong[name] && !refused[name]);
  const dirty = names.some((name) => !Object.is(values[name], initial[name]));
  const shown = (name: keyof V) => refused[name] ?? (all || left[name] ? wrong[name] : undefined);

  const set = <K extends keyof V>(name: K, value: V[K]) => {
    changed.current[name] = true;
    setValues((now) => ({ ...now, [name]: value }));
    setRefused((now) => ({ ...now, [name]: undefined }));
  };
  return {
    values,
    set,
    dirty,
    valid,
    /** Spread on a field. */
    field: <K extends keyof V & string>(name: K) => ({
      name,
      value: values[name],
      error: shown(name),
      onChange: (value: V[K]) => set(name, value),
      onBlur: () => {
        if (changed.current[name]) afterPress(() => setLeft((now) => ({ ...now, [name]: true })));
      },
    }),
    /** Spread on a Checkbox. */
    box: <K extends keyof V & string>(name: K) => ({
      name,
      checked: values[name] === true,
      error: shown(name),
      onChange: (checked: boolean) => set(name, checked as V[K]),
    }),
    /** What the server refused, per field, as text. */
    refuse: (errors: Wrong<V>) => setRefused(errors),
    /** Back to `next` as the values to start from, e.g. after saving. */
    reset: (next: V = initial) => {
      setValues(next);
      setLeft({});
      changed.current = {};
      setAll(false);
      setRefused({});
    },
    /** For the save button: why it cannot be used, or undefined. */
    why:
      changes && !dirty
        ? intl.formatMessage({ id: 'ui.not_changed', defaultMessage: 'Nothing has been changed yet.' })
        : !valid
          ? intl.formatMessage({ id: 'ui.not_valid', defaultMessage: 'Not everything has been filled in correctly yet.' })
          : undefined,
    /** Spread on the Form; `save` is called with values that are valid. */
    form: (save: (values: V) => void) => ({
      errors: names.flatMap((name): FormError[] => {
        const text = shown(name);
        return text ? [{ field: name, text }] : [];
      }),
      onRefused: () => setAll(true),
      onSubmit: () => {
        setAll(true);
        if (valid) save(values);
      },
    }),
  };
}
