import { Anchor, Icon, Page, PhoneLink } from '@wattle/ui';
import type { ReactElement } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import styled from 'styled-components';
import { useShell } from '../context';
import { pagePath, titleOf } from '../label-pages';
import { useLabelPages } from '../use-label-pages';

/** The help pages of the label (9-label-pages). */
export default function HelpList(): ReactElement {
  const intl = useIntl();
  const pages = useLabelPages().filter((p) => p.place === 'help');
  const { email, phone } = useShell().portal.label;
  return (
    <Page
      title={<FormattedMessage id="shell.help.title" defaultMessage="Help" />}
      sentence={
        <FormattedMessage
          id="shell.help.text"
          defaultMessage="Short answers to what customers ask us most. Is yours not there? Call {phone} or email {email}."
          values={{ phone: <PhoneLink number={phone} />, email: <Anchor href={`mailto:${email}`}>{email}</Anchor> }}
        />
      }
    >
      <List>
        {pages.map((p) => (
          <li key={p.slug}>
            <Anchor href={pagePath(p)}>
              <span>{intl.formatMessage(titleOf(p))}</span>
              <Icon name="right" size={20} />
            </Anchor>
          </li>
        ))}
      </List>
    </Page>
  );
}

const List = styled.ul`
  list-style: none; margin: 0; padding: 0; background: var(--w-surface); border: 1px solid var(--w-line); border-radius: var(--w-radius); overflow: hidden;
  li + li { border-top: 1px solid var(--w-line); }
  a { display: flex; align-items: center; justify-content: space-between; gap: 16px; min-height: var(--w-row); padding: 12px var(--w-pad); color: var(--w-text); text-decoration: none; font-weight: 600; }
  a:hover { background: var(--w-tint); }
  svg { flex: none; color: var(--w-text-quiet); }
`;
