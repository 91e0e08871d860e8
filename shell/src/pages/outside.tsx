import type { Locale } from '@wattle/sdk';
import { Button, PageTitle } from '@wattle/ui/start';
import { type ReactElement, type ReactNode, useEffect } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import styled from 'styled-components';
import { Language } from '../frame/language';
import { Skip } from '../frame/skip';
import type { Card } from '../portal';

interface Spoken {
  locale: Locale;
  setLocale(l: Locale): void;
}

/** A host without a label, or a start that failed. */
export default function Outside({ labels, ...p }: Spoken & { labels: readonly Card[] | undefined }): ReactElement {
  return labels ? <Cards labels={labels} {...p} /> : <StartFailed {...p} />;
}

/** 8-startup-failure, 1-unknown-host: the generic error view, in nobody's branding. */
function StartFailed(p: Spoken): ReactElement {
  const intl = useIntl();
  const title = intl.formatMessage({ id: 'shell.start.failed', defaultMessage: 'This portal is not available right now' });
  return (
    <Neutral {...p} title={title}>
      <p>
        <FormattedMessage
          id="shell.start.failed_text"
          defaultMessage="Check the address in your browser, or try again in a few minutes. Nothing of yours is lost."
        />
      </p>
      <div>
        <Button icon="retry" variant="primary" onClick={() => location.reload()}>
          <FormattedMessage id="shell.start.retry" defaultMessage="Try again" />
        </Button>
      </div>
    </Neutral>
  );
}

/** The labels of a demo, on plain localhost. */
function Cards({ labels, ...p }: Spoken & { labels: readonly Card[] }): ReactElement {
  const intl = useIntl();
  return (
    <Neutral {...p} wide title={intl.formatMessage({ id: 'shell.cards', defaultMessage: 'Portals of this demo' })}>
      <p>
        <FormattedMessage
          id="shell.cards.text"
          defaultMessage="One installation, many brands. Choose a portal; `wattle demo accounts` says how to sign in."
        />
      </p>
      <List>
        {labels.map((l) => (
          <li key={l.key}>
            <Choice href={l.url} $color={l.theme.header ?? '#fff'} $ink={l.theme['on-header'] ?? '#000'}>
              <span>
                <img src={l.logo} alt="" />
              </span>
              <strong>{l.name}</strong>
              <small>
                {l.kind === 'participant'
                  ? intl.formatMessage({ id: 'shell.cards.participant', defaultMessage: 'Cooperative with participants' })
                  : intl.formatMessage({ id: 'shell.cards.customer', defaultMessage: 'Energy company with customers' })}
              </small>
              <small>{l.host}</small>
            </Choice>
          </li>
        ))}
      </List>
    </Neutral>
  );
}

function Neutral({
  locale,
  setLocale,
  title,
  wide,
  children,
}: Spoken & { title: string; wide?: boolean; children: ReactNode }): ReactElement {
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <Main id="content" tabIndex={-1} $wide={wide ?? false}>
      <Skip />
      <Corner>
        <Language locale={locale} setLocale={setLocale} />
      </Corner>
      <PageTitle>{title}</PageTitle>
      {children}
    </Main>
  );
}

const Main = styled.main<{ $wide: boolean }>`
  max-width: ${(p) => (p.$wide ? 1080 : 560)}px; margin: 0 auto; padding: 24px 16px 64px; display: flex; flex-direction: column; gap: 16px;
`;
const Corner = styled.div`align-self: flex-end; margin-bottom: 32px;`;
const List = styled.ul`
  list-style: none; margin: 16px 0 0; padding: 0; display: grid; gap: 16px; grid-template-columns: repeat(auto-fill, minmax(min(100%, 320px), 1fr));
`;
const Choice = styled.a<{ $color: string; $ink: string }>`
  display: flex; flex-direction: column; gap: 4px; height: 100%; padding: 0 0 16px; border-radius: 16px; overflow: hidden; text-decoration: none;
  background: var(--w-surface, #fff); border: 1px solid var(--w-line, #d9dcd9); color: var(--w-text, #17211b);
  span { display: flex; align-items: center; height: 88px; padding: 0 24px; margin-bottom: 12px; background: ${(p) => p.$color}; color: ${(p) => p.$ink}; }
  img { max-width: 160px; height: 32px; object-fit: contain; object-position: left; }
  strong { font-size: 20px; font-weight: 600; padding: 0 24px; }
  small { font-size: 14px; color: var(--w-text-quiet, #4a554e); padding: 0 24px; }
  &:hover strong { text-decoration: underline; text-underline-offset: .2em; }
`;
