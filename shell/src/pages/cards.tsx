import { Badge } from '@wattle/ui';
import { Alert, Button, LinkButton, Row, Stack, TextLink, VisuallyHidden } from '@wattle/ui/start';
import { type CSSProperties, type ReactElement, useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import styled from 'styled-components';
import type { Card } from '../portal';
import { type LanguageProps, Neutral } from './neutral';
import { People } from './people';
import { Picture } from './picture';

/** The labels of a demo, on plain localhost. Labels with a colored header are first. */
export function Cards({ labels, ...p }: LanguageProps & { labels: readonly Card[] }): ReactElement {
  const intl = useIntl();
  const hasColoredHeader = (l: Card) => (l.theme.header === l.theme.surface ? 1 : 0);
  return (
    <Neutral {...p} wide title={intl.formatMessage({ id: 'shell.cards', defaultMessage: 'Portals of this demo' })}>
      <Sentence>
        <FormattedMessage
          id="shell.cards.text"
          defaultMessage="One installation, many brands. Choose who you want to be; one click signs you in."
        />
      </Sentence>
      <p>
        <TextLink href="/docs/">
          <FormattedMessage id="shell.cards.docs" defaultMessage="Documentation" />
        </TextLink>
      </p>
      <People labels={labels} />
      <Heading>
        <FormattedMessage id="shell.cards.portals" defaultMessage="All portals" />
      </Heading>
      <List>
        {[...labels]
          .sort((a, b) => hasColoredHeader(a) - hasColoredHeader(b))
          .map((l) => (
            <li key={l.key}>
              <Label label={l} />
            </li>
          ))}
      </List>
    </Neutral>
  );
}

function Label({ label }: { label: Card }): ReactElement {
  const { theme, live } = label;
  const brand = {
    '--w-primary': theme.primary,
    '--w-on-primary': theme['on-primary'],
    '--w-primary-hover': `color-mix(in srgb, ${theme.primary} 88%, black)`,
    '--w-primary-pressed': `color-mix(in srgb, ${theme.primary} 80%, black)`,
  };
  return (
    <Frame style={brand as CSSProperties}>
      <Picture theme={theme} logo={label.logo} />
      <Stack gap={16} style={{ padding: 24, flex: 1 }}>
        <Stack gap={4}>
          <h2>{label.name}</h2>
          <Quiet>
            {label.kind === 'participant' ? (
              <FormattedMessage id="shell.cards.participant" defaultMessage="Cooperative with participants" />
            ) : (
              <FormattedMessage id="shell.cards.customer" defaultMessage="Energy company with customers" />
            )}
          </Quiet>
        </Stack>
        {live && (
          <Badge tone="tint" icon="info">
            <FormattedMessage id="shell.cards.moved" defaultMessage="Has moved to another portal" />
          </Badge>
        )}
        <Stack gap={4} style={{ marginTop: 'auto' }}>
          <div>
            <LinkButton href={label.url} variant="primary" small>
              <VisuallyHidden>{label.name} </VisuallyHidden>
              {label.host}
            </LinkButton>
          </div>
          {live && (
            <Quiet>
              <FormattedMessage
                id="shell.cards.live"
                defaultMessage="What its customers see now: {host}"
                values={{
                  host: (
                    <TextLink href={live.url} style={{ whiteSpace: 'nowrap' }}>
                      {live.host}
                    </TextLink>
                  ),
                }}
              />
            </Quiet>
          )}
        </Stack>
        <NewCustomer host={label.host} name={label.name} />
      </Stack>
    </Frame>
  );
}

/** Creates a customer of a label and shows its username and password. */
function NewCustomer({ host, name }: { host: string; name: string }): ReactElement {
  const intl = useIntl();
  const [made, setMade] = useState<{ username: string; password: string } | 'making' | 'failed'>();
  const createCustomer = async () => {
    setMade('making');
    try {
      const answer = await fetch('/api/v0/dev/customers', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-PORTAL-BRANDING': host },
        body: JSON.stringify({ sample: true }),
      });
      setMade(answer.ok ? await answer.json() : 'failed');
    } catch {
      setMade('failed');
    }
  };
  return (
    <CreatedCustomer aria-live="polite">
      {typeof made === 'object' ? (
        <dl>
          <dt>
            <FormattedMessage id="shell.username" defaultMessage="Username" />
          </dt>
          <dd>
            <code>{made.username}</code>
          </dd>
          <dt>
            <FormattedMessage id="shell.password" defaultMessage="Password" />
          </dt>
          <dd>
            <code>{made.password}</code>
          </dd>
        </dl>
      ) : (
        <Row gap={8}>
          <Button
            small
            variant="quiet"
            icon="plus"
            loading={made === 'making'}
            aria-label={intl.formatMessage(
              { id: 'shell.cards.new_customer_of', defaultMessage: 'New customer of {name}' },
              { name },
            )}
            onClick={() => void createCustomer()}
          >
            <FormattedMessage id="shell.cards.new_customer" defaultMessage="New customer" />
          </Button>
        </Row>
      )}
      {made === 'failed' && (
        <Alert>
          <FormattedMessage id="shell.cards.failed" defaultMessage="The customer could not be made. Try again." />
        </Alert>
      )}
    </CreatedCustomer>
  );
}

const Sentence = styled.p`color: var(--w-text-quiet); margin-top: -8px;`;
const Heading = styled.h2`font-size: 28px; margin-top: 32px;`;
const List = styled.ul`
  list-style: none; margin-top: 16px; display: grid; gap: 24px; grid-template-columns: repeat(auto-fill, minmax(min(100%, 320px), 1fr));
  li { display: grid; }
`;
const Frame = styled.article`
  display: flex; flex-direction: column; border-radius: var(--w-radius); overflow: hidden; background: var(--w-surface); border: 1px solid var(--w-line);
  h2 { font-size: 20px; }
`;
const Quiet = styled.p`font-size: 14px; color: var(--w-text-quiet);`;
const CreatedCustomer = styled.div`
  border-top: 1px solid var(--w-line); padding-top: 12px; min-height: 57px;
  button { margin-left: -12px; }
  dl { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0 16px; font-size: 14px; }
  dt { color: var(--w-text-quiet); }
  code { user-select: all; }
`;
