import { FormattedMessage } from 'react-intl';
import styled from 'styled-components';
import { Message } from './message';

/** A preview of the message, as customers will see it. */
export function Preview({ title, message, lang }: { title: string; message: string; lang: 'nl' | 'en' }) {
  return (
    <Box>
      <p>
        <FormattedMessage id="notifications.compose.preview" defaultMessage="This is how customers see it" />
      </p>
      <article lang={lang}>
        <h3>{title}</h3>
        <Message html={message} />
      </article>
    </Box>
  );
}

const Box = styled.div`
  > p { font-size: 14px; color: var(--w-text-quiet); margin-bottom: 4px; }
  article { padding: 16px 24px 24px; min-height: 120px; border: 1px solid var(--w-line); border-radius: var(--w-radius); background: var(--w-surface); overflow-wrap: anywhere; }
  h3 { font-size: 16px; line-height: 1.5; } h3:not(:empty) + * { margin-top: 8px; }
`;
