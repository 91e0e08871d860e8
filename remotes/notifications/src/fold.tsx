import { LinkLook } from '@wattle/ui';
import { type ReactNode, useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import styled from 'styled-components';

interface FoldProps {
  title: string;
  /** Number of notices that are hidden after this one. */
  others: number;
  onOthers(): void;
  children: ReactNode;
}

/** A text that a button opens on a phone, with a button for the notices after it (9-notice-fold); all of it on wider screens. */
export function Fold({ title, others, onOthers, children }: FoldProps) {
  const intl = useIntl();
  const [open, setOpen] = useState(false);
  const more = intl.formatMessage(
    { id: 'notifications.more', defaultMessage: '{open, select, true {Show less} other {Read more}}' },
    { open: String(open) },
  );
  return (
    <>
      <Text $open={open}>{children}</Text>
      <Buttons>
        <More aria-expanded={open} aria-label={`${more}: ${title}`} onClick={() => setOpen(!open)}>
          {more}
        </More>
        {others > 0 && (
          <More onClick={onOthers}>
            <FormattedMessage
              id="notifications.others"
              defaultMessage="{n, plural, one {# more notice} other {# more notices}}"
              values={{ n: others }}
            />
          </More>
        )}
      </Buttons>
    </>
  );
}

const Text = styled.div<{ $open: boolean }>`
  @media (max-width: 767px) { ${(p) => !p.$open && 'display: none;'} }
`;
const Buttons = styled.div`display: flex; gap: 0 24px; margin-bottom: -8px; @media (min-width: 768px) { display: none; }`;
const More = styled(LinkLook)`min-height: 32px;`;
