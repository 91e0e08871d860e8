import { type ChangeEvent, type Ref, useLayoutEffect, useRef } from 'react';
import { Box, FieldFrame, type FieldProps, type TypedProps, useFieldIds } from './field';
import { formatIban, readIban } from './format';
import { frameProps, inputProps } from './text-field';

export interface IbanFieldProps extends FieldProps, Omit<TypedProps, 'inputMode' | 'maxLength'> {
  /** Letters and digits in upper case; other notations are also shown in groups. */
  value: string;
  /** Called with the normalized value, `NL91ABNA0417164300`, whatever notation was typed or pasted (5.1-iban-normalise). */
  onChange(value: string): void;
  /** The `<input>` element, e.g. for moving focus to it. */
  ref?: Ref<HTMLInputElement> | undefined;
}

/** An IBAN, shown in groups of four while it is typed, without moving the caret. It does not validate. */
export function IbanField({ value, onChange, ref, width = 320, ...props }: IbanFieldProps) {
  const { id, control } = useFieldIds(props);
  const input = useRef<HTMLInputElement>(null);
  const caret = useRef<number>(undefined); // number of characters before the caret, without spaces
  const known = readIban(value);

  // Setting a value other than the typed text moves the caret to the end: restore it.
  useLayoutEffect(() => {
    const element = input.current;
    if (caret.current === undefined || !element || document.activeElement !== element) return;
    const at = place(element.value, caret.current);
    caret.current = undefined;
    element.setSelectionRange(at, at);
  });

  const type = (event: ChangeEvent<HTMLInputElement>) => {
    const { value: text, selectionStart } = event.target;
    const at = selectionStart ?? text.length;
    let characters = readIban(text);
    let before = readIban(text.slice(0, at)).length;
    const inputType = (event.nativeEvent as InputEvent).inputType;
    if (characters === known && text.length < formatIban(known).length && inputType?.startsWith('deleteContent')) {
      // only a space was removed, and formatting would restore it: remove the character next to the space
      if (inputType === 'deleteContentForward') characters = known.slice(0, before) + known.slice(before + 1);
      else {
        characters = known.slice(0, Math.max(0, before - 1)) + known.slice(before);
        before = Math.max(0, before - 1);
      }
    }
    caret.current = before;
    onChange(characters);
    // React does not render again when the value stays the same, so restore the formatted text here.
    if (characters === known && text !== formatIban(known)) {
      event.target.value = formatIban(known);
      const to = place(event.target.value, before);
      event.target.setSelectionRange(to, to);
    }
  };

  return (
    <FieldFrame id={id} {...frameProps({ ...props, width })}>
      <Box $wrong={Boolean(props.error)} $inactive={Boolean(props.disabledReason)}>
        <input
          {...control}
          {...inputProps(props)}
          ref={(element) => {
            input.current = element;
            if (typeof ref === 'function') return ref(element);
            if (ref) ref.current = element;
          }}
          autoComplete={props.autoComplete ?? 'off'}
          autoCapitalize="characters"
          autoCorrect="off"
          spellCheck={false}
          style={{ fontVariantNumeric: 'tabular-nums', letterSpacing: '.02em' }}
          value={formatIban(known)}
          readOnly={Boolean(props.disabledReason)}
          onChange={type}
        />
      </Box>
    </FieldFrame>
  );
}

/**
 * Returns the caret position after the given number of characters. After a full group it is behind the space, ready for the next
 * one.
 */
function place(text: string, count: number): number {
  let at = 0;
  for (let left = count; left > 0 && at < text.length; at++) if (text[at] !== ' ') left--;
  return text[at] === ' ' ? at + 1 : at;
}
