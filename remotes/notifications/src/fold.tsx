import { LinkLook, VisuallyHidden } from '@wattle/ui';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { FormattedMessage } from 'react-intl';
import styled from 'styled-components';

/** The first two lines of a long text on a phone, and a button for the rest (9-notice-fold); all of it on wider screens. */
export function Fold({ title, drawn, children }: { title: string; drawn: boolean; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  const [long, setLong] = useState(false);
  const [open, setOpen] = useState(false);
  useLayoutEffect(() => {
    const at = box.current;
    if (drawn && at) setLong(at.scrollHeight > at.clientHeight + 1);
  }, [drawn]);
  return (
    <>
      <Text ref={box} $open={open} onFocus={() => setOpen(true)}>
        {children}
      </Text>
      {long && (
        <More aria-expanded={open} onClick={() => setOpen(!open)}>
          <FormattedMessage
            id="notifications.more"
            defaultMessage="{open, select, true {Show less} other {Read more}}"
            values={{ open: String(open) }}
          />
          <VisuallyHidden>: {title}</VisuallyHidden>
        </More>
      )}
    </>
  );
}

const Text = styled.div<{ $open: boolean }>`
  @media (max-width: 767px) { ${(p) => !p.$open && 'max-height: 2lh; overflow: hidden;'} }
`;
const More = styled(LinkLook)`min-height: 32px; @media (min-width: 768px) { display: none; }`;
