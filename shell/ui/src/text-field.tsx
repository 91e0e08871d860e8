import { type ReactNode, type Ref, useState } from 'react';
import { useIntl } from 'react-intl';
import { Box, FieldFrame, type FieldProps, InnerButton, type TypedProps, Unit, useFieldIds } from './field';
import { Icon } from './icon';

export interface TextFieldProps extends FieldProps, TypedProps {
  /** The text. */
  value: string;
  /** Called with the new text on every change. */
  onChange(value: string): void;
  /** Type of text: determines the on-screen keyboard of a phone and what the browser autofills. */
  type?: 'text' | 'email' | 'tel' | 'search' | 'url' | undefined;
  /** Text or icon before the input, inside its box, e.g. `€`. */
  before?: ReactNode;
  /** Text or button after the input, inside its box, e.g. `kWh`. */
  after?: ReactNode;
  /** The `<input>` element, e.g. for moving focus to it. */
  ref?: Ref<HTMLInputElement> | undefined;
}

export function TextField({ value, onChange, type = 'text', before, after, ref, ...props }: TextFieldProps) {
  const { id, control } = useFieldIds(props);
  return (
    <FieldFrame id={id} {...frameProps(props)}>
      <Box $wrong={Boolean(props.error)} $inactive={Boolean(props.disabledReason)}>
        {before && <Unit>{before}</Unit>}
        <input
          {...control}
          {...inputProps(props)}
          ref={ref}
          type={type}
          value={value}
          readOnly={Boolean(props.disabledReason)}
          onChange={(event) => onChange(event.target.value)}
        />
        {after && <Unit>{after}</Unit>}
      </Box>
    </FieldFrame>
  );
}

export interface PasswordFieldProps extends FieldProps, TypedProps {
  /** The password. */
  value: string;
  /** Called with the new text on every change. */
  onChange(value: string): void;
  /** Whether password managers fill in the existing password, or suggest a new one. */
  autoComplete: 'current-password' | 'new-password';
  /** The `<input>` element, e.g. for moving focus to it. */
  ref?: Ref<HTMLInputElement> | undefined;
}

/** A password field with a button that shows the password. */
export function PasswordField({ value, onChange, ref, ...props }: PasswordFieldProps) {
  const intl = useIntl();
  const [seen, setSeen] = useState(false);
  const { id, control } = useFieldIds(props);
  return (
    <FieldFrame id={id} {...frameProps(props)}>
      <Box $wrong={Boolean(props.error)} $inactive={Boolean(props.disabledReason)}>
        <input
          {...control}
          {...inputProps(props)}
          ref={ref}
          type={seen ? 'text' : 'password'}
          value={value}
          readOnly={Boolean(props.disabledReason)}
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          onChange={(event) => onChange(event.target.value)}
        />
        <InnerButton
          aria-controls={id}
          aria-label={
            seen
              ? intl.formatMessage({ id: 'ui.password_hide', defaultMessage: 'Hide password' })
              : intl.formatMessage({ id: 'ui.password_show', defaultMessage: 'Show password' })
          }
          onClick={() => setSeen(!seen)}
        >
          <Icon name={seen ? 'eye-off' : 'eye'} />
          {seen
            ? intl.formatMessage({ id: 'ui.hide', defaultMessage: 'Hide' })
            : intl.formatMessage({ id: 'ui.show', defaultMessage: 'Show' })}
        </InnerButton>
      </Box>
    </FieldFrame>
  );
}

export interface TextAreaProps extends FieldProps, Omit<TypedProps, 'inputMode'> {
  /** The text. */
  value: string;
  /** Called with the new text on every change. */
  onChange(value: string): void;
  /** Height in lines. */
  rows?: number | undefined;
  /** The `<textarea>` element, e.g. for moving focus to it. */
  ref?: Ref<HTMLTextAreaElement> | undefined;
}

export function TextArea({ value, onChange, rows = 5, ref, ...props }: TextAreaProps) {
  const { id, control } = useFieldIds(props);

  return (
    <FieldFrame id={id} {...frameProps(props)}>
      <Box $wrong={Boolean(props.error)} $inactive={Boolean(props.disabledReason)}>
        <textarea
          {...control}
          {...inputProps(props)}
          ref={ref}
          rows={rows}
          value={value}
          readOnly={Boolean(props.disabledReason)}
          style={{ resize: 'vertical' }}
          onChange={(event) => onChange(event.target.value)}
        />
      </Box>
    </FieldFrame>
  );
}

/** Selects the props of the frame from those of a field. */
export const frameProps = (p: FieldProps): FieldProps => ({
  label: p.label,
  hint: p.hint,
  error: p.error,
  optional: p.optional,
  disabledReason: p.disabledReason,
  width: p.width,
});

/** Selects the props of the input from those of a field. */
export const inputProps = (p: TypedProps) => ({
  autoComplete: p.autoComplete,
  inputMode: p.inputMode,
  maxLength: p.maxLength,
  placeholder: p.placeholder,
  onBlur: p.onBlur && (() => p.onBlur?.()),
  autoFocus: p.autoFocus,
  spellCheck: p.spellCheck,
});
