import { createContext, type FormEvent, type ReactNode, type Ref, use, useEffect, useRef, useState } from 'react';
import { useIntl } from 'react-intl';
import styled from 'styled-components';
import { Button, type ButtonProps } from './button';
import { Icon } from './icon';
import { Stack } from './layout';
import { fieldNamed, type Reason, Reasons, type Refusal, useLabels } from './reasons';

/** An error of a field or of the whole form. */
export interface FormError {
  /** The `name` of the field with the error; absent when the error is about the whole form. */
  field?: string | undefined;
  /** The error and how to correct it. */
  text: string;
}

export interface FormProps {
  /** Called when the form is submitted and its save button has no `disabledReason`. The page does not reload. */
  onSubmit(): void;
  /** Called when the save button is pressed while it has a `disabledReason`. Show the errors then. */
  onRefused?: (() => void) | undefined;
  /**
   * Errors of the form and of the server. After a submit they are summarized at the top, and the summary gets focus. After a press
   * on a save button that has a `disabledReason`, the summary lists only the names of the fields if there are several, and the first
   * field gets focus.
   */
  errors?: readonly FormError[] | undefined;
  /** Why the save button cannot be used, and which fields cause this. */
  refusal?: Refusal | undefined;
  /** The form is being sent, so a second submit is ignored; by default false. */
  busy?: boolean | undefined;
  /** The fields and the save button. */
  children: ReactNode;
  /** Accessible name; needed when a page has several forms. */
  label?: string | undefined;
}

const RefusedContext = createContext<{ refuse(): void; refusal: Refusal | undefined } | null>(null);

/** A form that keeps the values of rejected fields and does not show the browser's own validation messages. */
export function Form({ onSubmit, onRefused, errors = [], refusal, busy, children, label }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const summary = useRef<HTMLDivElement>(null);
  const [isSubmitted, setSubmitted] = useState(false);
  const [refusals, setRefusals] = useState(0);
  const waiting = useRef(false);
  const wrong = errors.length > 0;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation(); // in the React tree, a form in a sheet is inside the page's form
    if (busy) return;
    waiting.current = true;
    setSubmitted(true);
    onSubmit();
  };
  useEffect(() => {
    if (!waiting.current || !isSubmitted || !wrong || busy) return;
    waiting.current = false;
    summary.current?.focus();
  });
  useEffect(() => {
    if (refusals > 0) focusFirstError(form.current);
  }, [refusals]);

  const refuse = () => {
    onRefused?.();
    setRefusals(refusals + 1);
  };
  return (
    <form
      ref={form}
      noValidate
      aria-label={label}
      onSubmit={submit}
      onInput={() => {
        waiting.current = false;
      }}
    >
      <RefusedContext value={{ refuse, refusal }}>
        <Stack gap={24} style={{ flex: 1 }}>
          {isSubmitted && wrong && <FormErrors errors={errors} ref={summary} />}
          {!isSubmitted && refusals > 0 && errors.length > 1 && <FormErrors errors={errors} short />}
          {children}
        </Stack>
      </RefusedContext>
    </form>
  );
}

/** Moves focus to the first field with an error, or to the first field that can be filled in. */
export function focusFirstError(form: HTMLElement | null): void {
  const wrong = form?.querySelector<HTMLElement>('[aria-invalid="true"]');
  const any = form?.querySelector<HTMLElement>(
    'input:not([type="hidden"]):not([disabled]), select:not([disabled]), textarea:not([disabled])',
  );
  (wrong ?? any)?.focus();
}

export interface FormErrorsProps {
  /** The errors, in the order shown. */
  errors: readonly FormError[];
  /** Heading of the summary; by default the number of errors in words. */
  title?: ReactNode;
  /** Lists only the field names, next to each other; the errors are shown under the fields. */
  short?: boolean | undefined;
  /** The summary element, e.g. for moving focus to it. */
  ref?: Ref<HTMLDivElement> | undefined;
}

/** Maximum number of fields that are listed individually (9-errors-quiet). */
export const maxNamed = 3;

/** A summary of all errors. Each line names its field and links to it. */
export function FormErrors({ errors, title, short, ref }: FormErrorsProps) {
  const intl = useIntl();
  const list = useRef<HTMLUListElement>(null);
  const labels = useLabels(
    list,
    errors.flatMap(({ field }) => (field ? [field] : [])),
  );
  if (errors.length === 0) return null;
  const places = Object.keys(labels); // in page order
  const placeOf = ({ field = '' }: FormError) => (short ? places.indexOf(field) : 0);
  return (
    <Summary role="alert" tabIndex={-1} ref={ref}>
      <Icon name="alert" size={24} />
      <div>
        <strong>
          {title ??
            intl.formatMessage(
              {
                id: 'ui.errors_title',
                defaultMessage: '{count, plural, one {One field still needs attention} other {# fields still need attention}}',
              },
              { count: errors.length },
            )}
        </strong>
        <ul ref={list} data-short={short || undefined}>
          {[...errors]
            .sort((a, b) => placeOf(a) - placeOf(b))
            .map((error) => (
              <li key={`${error.field} ${error.text}`}>
                {error.field ? (
                  <a
                    href={`#${error.field}`}
                    onClick={(event) => {
                      event.preventDefault();
                      fieldNamed(event.currentTarget, error.field ?? '')?.focus();
                    }}
                  >
                    {(short && labels[error.field]) || withName(labels[error.field], error.text)}
                  </a>
                ) : (
                  error.text
                )}
              </li>
            ))}
        </ul>
      </div>
    </Summary>
  );
}

/** Prefixes the error with the field name, unless the error already contains it (9-summary-names-fields). */
const withName = (label: string | undefined, text: string): string =>
  !label || text.toLocaleLowerCase().includes(label.toLocaleLowerCase()) ? text : `${label}: ${text}`;

export interface SaveButtonProps extends Omit<ButtonProps, 'loading' | 'type' | 'variant' | 'disabled' | 'reasons'> {
  /** Shows that the form is being sent, and ignores clicks; by default false. */
  busy?: boolean | undefined;
  /** The fields that cause the `disabledReason`, when it is not the one from `useFields`. */
  fields?: readonly Reason[] | undefined;
}

/**
 * The save button of a form. It is enabled only while the value has changed and is valid (2.3-save-enabled). Otherwise
 * `disabledReason` is shown under it, with links to the fields that cause it, or only to the first if there are many
 * (9-submit-reasons). Pressing it then moves focus to the first error. It is natively disabled only while sending.
 */
export function SaveButton({ busy, children, onBlocked, fields, ...props }: SaveButtonProps) {
  const intl = useIntl();
  const form = use(RefusedContext);
  const named = form?.refusal && form.refusal.reason === props.disabledReason ? form.refusal.fields : fields;
  return (
    <Button
      {...props}
      type="submit"
      variant="primary"
      loading={busy}
      reasons={named && named.length > 0 && <Reasons fields={named} max={maxNamed} />}
      onBlocked={onBlocked ?? form?.refuse ?? undefined}
    >
      {children ?? intl.formatMessage({ id: 'ui.save', defaultMessage: 'Save' })}
    </Button>
  );
}

/** The buttons under a form: put the primary one first. On a phone they are stacked. A reason under Save does not move Cancel. */
export const FormActions = styled.div`
  display: flex; align-items: flex-start; flex-wrap: wrap; gap: 8px 12px;
  [data-reason] { width: max-content; max-width: min(360px, 75vw); margin-right: calc(-1 * min(360px, 75vw)); }
  @media (max-width: 767px) { flex-direction: column; align-items: stretch; > *, button, a { width: 100%; } [data-reason] { margin: 0; max-width: 100%; } }
`;

const Summary = styled.div`
  display: flex; gap: 12px; padding: 16px; border-radius: var(--w-radius-control); background: var(--w-negative-tint); box-shadow: inset 3px 0 0 var(--w-negative);
  > svg { color: var(--w-negative); } strong { font-weight: 600; }
  ul { list-style: none; margin-top: 4px; } li + li { margin-top: 8px; }
  ul[data-short] { display: flex; flex-wrap: wrap; gap: 4px 16px; li { margin: 0; } }
  a { color: var(--w-text); }
`;
