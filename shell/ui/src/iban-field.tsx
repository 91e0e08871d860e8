import { type ChangeEvent, type Ref, useLayoutEffect, useRef } from 'react';
import { Box, FieldFrame, type FieldProps, type TypedProps, useFieldIds } from './field';
import { formatIban, readIban } from './format';
import { frame, typed } from './text-field';

export interface IbanFieldProps extends FieldProps, Omit<TypedProps, 'inputMode' | 'maxLength'> {
  /** Letters and digits only, upper case; other forms are shown grouped as well. */
  value: string;
  /** Normalised: `NL91ABNA0417164300`, whatever was typed or pasted (5.1-iban-normalise). */
  onChange(value: string): void;
  ref?: Ref<HTMLInputElement> | undefined;
}

/** An account number in groups of four while it is typed; the caret stays where one is typing. It checks nothing. */
export function IbanField({ value, onChange, ref, width = 320, ...props }: IbanFieldProps) {
  const { id, control } = useFieldIds(props);
  const input = useRef<HTMLInputElement>(null);
  const caret = useRef<number>(undefined); // signs before it, spaces not counted
  const known = readIban(value);

  // Writing other text than was typed sends the caret to the end: put it back behind as many signs as it stood.
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
    let signs = readIban(text);
    let before = readIban(text.slice(0, at)).length;
    const way = (event.nativeEvent as InputEvent).inputType;
    if (signs === known && text.length < formatIban(known).length && way?.startsWith('deleteContent')) {
      // only a space was taken away, which would come back: take the sign that lies beyond it
      if (way === 'deleteContentForward') signs = known.slice(0, before) + known.slice(before + 1);
      else {
        signs = known.slice(0, Math.max(0, before - 1)) + known.slice(before);
        before = Math.max(0, before - 1);
      }
    }
    caret.current = before;
    onChange(signs);
    // What is refused by who holds the value, or is the same as before, is not drawn again: undo it here.
    if (signs === known && text !== formatIban(known)) {
      event.target.value = formatIban(known);
      const to = place(event.target.value, before);
      event.target.setSelectionRange(to, to);
    }
  };

  return (
    <FieldFrame id={id} {...frame({ ...props, width })}>
      <Box $wrong={Boolean(props.error)} $still={Boolean(props.why)}>
        <input
          {...control}
          {...typed(props)}
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
          readOnly={Boolean(props.why)}
          onChange={type}
        />
      </Box>
    </FieldFrame>
  );
}

/** Where in the text the caret stands behind so many signs. Behind a full group it stands behind the space too, ready for the next. */
function place(text: string, signs: number): number {
  let at = 0;
  for (let left = signs; left > 0 && at < text.length; at++) if (text[at] !== ' ') left--;
  return text[at] === ' ' ? at + 1 : at;
}
