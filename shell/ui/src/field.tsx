import { type HTMLAttributes, type ReactNode, useId } from 'react';
import { FormattedMessage } from 'react-intl';
import styled from 'styled-components';
import { Icon } from './icon';

/** Props of every field. The hint is shown between label and field, and the error under the field, with an icon. */
export interface FieldProps {
  /** The visible label above the field. */
  label: ReactNode;
  /** The field's name in the form's `errors`, and the `name` of the control. */
  name?: string | undefined;
  /** Small text between label and field: what to fill in, or why. */
  hint?: ReactNode;
  /** The error and how to correct it. */
  error?: ReactNode;
  /** Whether a value is required. This only informs screen readers, so the form itself must check it. */
  required?: boolean | undefined;
  /** Shows "(optional)" after the label. */
  optional?: boolean | undefined;
  /** Why the field cannot be changed now; it stays focusable and readable. */
  disabledReason?: ReactNode;
  /** Width in pixels; make a field as wide as its usual content. */
  width?: number | undefined;
}

/** Props that a text field passes to its `<input>`. */
export interface TypedProps {
  /** What the browser may autofill: a token of the HTML attribute `autocomplete`. */
  autoComplete?: string | undefined;
  /** On-screen keyboard of a phone: the HTML attribute `inputmode`. */
  inputMode?: HTMLAttributes<HTMLInputElement>['inputMode'];
  /** Maximum number of characters; unlimited by default. */
  maxLength?: number | undefined;
  /** An example; never use it as the label. */
  placeholder?: string | undefined;
  /** Called when focus leaves the field. */
  onBlur?: (() => void) | undefined;
  /** Moves focus to the field when it appears. */
  autoFocus?: boolean | undefined;
  /** Whether the browser checks the spelling; by default the browser decides. */
  spellCheck?: boolean | undefined;
}

/** Returns the ids and attributes that connect a control to its label, hint, error and reason. */
export function useFieldIds(props: Pick<FieldProps, 'name' | 'hint' | 'error' | 'disabledReason' | 'required'>) {
  const id = useId();
  const described = [props.error && `${id}-error`, props.hint && `${id}-hint`, props.disabledReason && `${id}-reason`]
    .filter(Boolean)
    .join(' ');
  return {
    id,
    control: {
      id,
      name: props.name,
      'aria-describedby': described || undefined,
      'aria-invalid': props.error ? (true as const) : undefined,
      'aria-required': props.required || undefined,
      'aria-disabled': props.disabledReason ? (true as const) : undefined,
    },
  };
}

interface FrameProps extends FieldProps {
  id: string;
  /** Contains several controls: rendered as a fieldset with a legend. */
  group?: boolean | undefined;
  children: ReactNode;
}

export function FieldFrame({ id, label, hint, error, optional, disabledReason, width, group, children }: FrameProps) {
  const name = (
    <>
      {label}
      {optional && (
        <Optional>
          {' '}
          <FormattedMessage id="ui.optional" defaultMessage="(optional)" />
        </Optional>
      )}
    </>
  );
  return (
    <Frame
      as={group ? 'fieldset' : 'div'}
      aria-describedby={group && error ? `${id}-error` : undefined}
      style={{ maxWidth: width }}
    >
      {group ? <Label as="legend">{name}</Label> : <Label htmlFor={id}>{name}</Label>}
      {hint && <Hint id={`${id}-hint`}>{hint}</Hint>}
      {children}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
      {disabledReason && <Hint id={`${id}-reason`}>{disabledReason}</Hint>}
    </Frame>
  );
}

export interface FieldErrorProps {
  /** Id of the element, for the control's `aria-describedby`. */
  id?: string | undefined;
  /** The error and how to correct it. */
  children: ReactNode;
}

/** The error under a field, with an icon. */
export function FieldError({ id, children }: FieldErrorProps) {
  return (
    <ErrorLine id={id}>
      <Icon name="alert" size={16} />
      <span>{children}</span>
    </ErrorLine>
  );
}

const Frame = styled.div`display: flex; flex-direction: column; gap: 4px; min-width: 0; width: 100%;`;
const Label = styled.label`font-weight: 600; width: fit-content; padding: 0 0 2px; legend& { margin-bottom: 6px; }`;
const Optional = styled.span`font-weight: 400; color: var(--w-text-quiet);`;
export const Hint = styled.span`font-size: 14px; color: var(--w-text-quiet); margin-bottom: 2px;`;
const ErrorLine = styled.span`
  display: flex; gap: 6px; font-size: 14px; color: var(--w-negative); margin-top: 2px;
  svg { margin-top: 3px; }
`;

/** The 48 px box around an input, with space for a unit or a button. */
export const Box = styled.div<{ $wrong?: boolean | undefined; $inactive?: boolean | undefined }>`
  display: flex; align-items: center; min-height: 48px; border-radius: var(--w-radius-control); background: ${(p) => (p.$inactive ? 'var(--w-tint)' : 'var(--w-surface)')};
  border: 1px solid ${(p) => (p.$wrong ? 'var(--w-negative)' : 'var(--w-control-line)')}; ${(p) => (p.$wrong ? 'box-shadow: inset 0 0 0 1px var(--w-negative);' : '')}
  transition: border-color 160ms;
  &:hover { border-color: ${(p) => (p.$wrong ? 'var(--w-negative)' : 'var(--w-text)')}; }
  &:has(input:focus-visible, select:focus-visible, textarea:focus-visible) { outline: 3px solid var(--w-focus); outline-offset: 2px; box-shadow: 0 0 0 2px #fff; }
  input, select, textarea { flex: 1; min-width: 0; width: 100%; min-height: 46px; padding: 8px 12px; border: 0; border-radius: calc(var(--w-radius-control) - 1px); background: none; }
  input:focus:focus, select:focus:focus, textarea:focus:focus { outline: none; box-shadow: none; }
  input::placeholder, textarea::placeholder { color: var(--w-text-quiet); opacity: 1; }
  input:-webkit-autofill { -webkit-text-fill-color: var(--w-text); box-shadow: inset 0 0 0 50px var(--w-tint) !important; }
  ${(p) => (p.$inactive ? 'input, select, textarea { color: var(--w-text-quiet); cursor: not-allowed; }' : '')}
  input::-webkit-search-cancel-button { display: none; }
`;
export const Unit = styled.span`
  color: var(--w-text-quiet); white-space: nowrap; padding-right: 12px;
  &:first-child { padding: 0 0 0 12px; }
`;
/** A text button inside a box, e.g. "Toon". */
export const InnerButton = styled.button.attrs({ type: 'button' })`
  min-height: 40px; padding: 4px 12px; margin-right: 3px; border-radius: calc(var(--w-radius-control) - 2px); font-weight: 600; color: var(--w-primary-ink); white-space: nowrap; flex: none;
  display: inline-flex; align-items: center; gap: 6px;
  &:hover { background: var(--w-tint); } &:active { background: var(--w-tint-strong); }
`;
