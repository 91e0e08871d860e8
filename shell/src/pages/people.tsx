import { Alert, Button } from '@wattle/ui/start';
import { type ReactElement, useEffect, useState } from 'react';
import { defineMessages, FormattedMessage, useIntl } from 'react-intl';
import styled from 'styled-components';
import type { Card } from '../portal';
import { Panel } from './picture';

interface Person {
  label: string;
  username: string;
  password: string;
  role: 'customer' | 'member' | 'staff' | 'impersonator' | 'operator';
  name: string;
  /** What the person has, in Dutch. */
  note: string;
  shows: keyof typeof groups;
  /** The first sign-in requires a new password. */
  temporary: boolean;
}

/** What people demonstrate, in page order. */
const groups = defineMessages({
  everyday: { id: 'shell.people.everyday', defaultMessage: 'Ordinary households' },
  solar: { id: 'shell.people.solar', defaultMessage: 'With solar panels' },
  shares: { id: 'shell.people.shares', defaultMessage: 'Shares in wind and sun' },
  company: { id: 'shell.people.company', defaultMessage: 'Companies' },
  shared: { id: 'shell.people.shared', defaultMessage: 'Two people, one contract or address' },
  new: { id: 'shell.people.new', defaultMessage: 'New customers' },
  ended: { id: 'shell.people.ended', defaultMessage: 'Ended contracts' },
  staff: { id: 'shell.people.staff', defaultMessage: 'Customer service' },
});

/** All people in the demo, grouped by what they demonstrate; one click signs in (9-demo-sign-in). */
export function People({ labels }: { labels: readonly Card[] }): ReactElement | null {
  const intl = useIntl();
  const [people, setPeople] = useState<readonly Person[] | 'failed'>();
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let current = true;
    void attempt; // a retry fetches again
    fetch('/api/v0/dev/people', { headers: { Accept: 'application/json' } })
      .then(async (answer) => (answer.ok ? ((await answer.json()) as Person[]) : 'failed'))
      .catch(() => 'failed' as const)
      .then((found) => current && setPeople(found));
    return () => {
      current = false;
    };
  }, [attempt]);
  if (people === undefined) return <Waiting />;
  if (people === 'failed')
    return (
      <>
        <Alert>
          <FormattedMessage id="shell.people.failed" defaultMessage="The people of the demo could not be loaded." />
        </Alert>
        <div>
          <Button icon="retry" onClick={() => setAttempt((n) => n + 1)}>
            <FormattedMessage id="shell.start.retry" defaultMessage="Try again" />
          </Button>
        </div>
      </>
    );
  const shown = (Object.keys(groups) as (keyof typeof groups)[]).filter((shows) => people.some((p) => p.shows === shows));
  const customerOf = (key: string) => people.find((p) => p.label === key && !p.temporary && !isStaff(p));
  return (
    <>
      <Jump aria-label={intl.formatMessage({ id: 'shell.people.jump', defaultMessage: 'Go to' })}>
        <ul>
          {shown.map((shows) => (
            <li key={shows}>
              <a href={`#people-${shows}`}>{intl.formatMessage(groups[shows])}</a>
            </li>
          ))}
        </ul>
      </Jump>
      {shown.map((shows) => {
        const rows = people.filter((p) => p.shows === shows);
        return (
          <Group key={shows} aria-labelledby={`people-${shows}`}>
            <h2 id={`people-${shows}`}>{intl.formatMessage(groups[shows])}</h2>
            <ul>
              {rows.map((p) => {
                const label = labels.find((l) => l.key === p.label);
                return (
                  label && (
                    <li key={`${p.label} ${p.username}`}>
                      <Row person={p} label={label} customer={customerOf(p.label)} />
                    </li>
                  )
                );
              })}
            </ul>
          </Group>
        );
      })}
    </>
  );
}

const isStaff = (p: Person): boolean => p.role === 'staff' || p.role === 'impersonator' || p.role === 'operator';

function Row({ person, label, customer }: { person: Person; label: Card; customer: Person | undefined }): ReactElement {
  const base = label.url.replace(/\/$/, '');
  const impersonates = person.role === 'impersonator' && customer;
  const to = impersonates
    ? `${base}/dev/impersonate?username=${encodeURIComponent(customer.username)}`
    : `${base}/dev/sign-in?username=${encodeURIComponent(person.username)}`;
  return (
    // an impersonation may start from a support tool that the label has configured, or from no page at all
    <Choice href={to} referrerPolicy="no-referrer">
      <Panel theme={label.theme} illustration={label.illustration} />
      <Words>
        <Brand>
          <img src={label.logo} alt={label.name} />
        </Brand>
        <strong>{person.name}</strong>
        <Note lang="nl">{person.note}</Note>
        {impersonates && (
          <Note>
            <FormattedMessage
              id="shell.people.impersonates"
              defaultMessage="Impersonates {name}"
              values={{ name: customer.name }}
            />
          </Note>
        )}
        {person.temporary && (
          <Note>
            <FormattedMessage
              id="shell.people.temporary"
              defaultMessage="Sign in as {username} with {password}"
              values={{ username: <code>{person.username}</code>, password: <code>{person.password}</code> }}
            />
          </Note>
        )}
      </Words>
    </Choice>
  );
}

const Waiting = styled.div`min-height: 100vh;`;
const Jump = styled.nav`
  ul { list-style: none; display: flex; flex-wrap: wrap; gap: 8px; }
  a {
    display: inline-flex; align-items: center; min-height: 44px; padding: 0 16px; border-radius: 999px; background: var(--w-surface);
    border: 1px solid var(--w-line); color: var(--w-text); text-decoration: none; font-size: 14px; font-weight: 600;
  }
  a:hover { background: var(--w-tint); }
`;
const Group = styled.section`
  margin-top: 24px; scroll-margin-top: 16px;
  h2 { font-size: 20px; margin-bottom: 16px; }
  ul { list-style: none; display: grid; gap: 16px; grid-template-columns: repeat(auto-fill, minmax(min(100%, 320px), 1fr)); }
  li { display: grid; }
`;
const Choice = styled.a`
  display: flex; padding: 0; border-radius: var(--w-radius); overflow: hidden; background: var(--w-surface); color: var(--w-text);
  border: 1px solid var(--w-line); text-decoration: none;
  &:hover { border-color: var(--w-text-quiet); }
  &:hover strong { text-decoration: underline; }
`;
const Words = styled.span`display: flex; flex-direction: column; gap: 4px; flex: 1; min-width: 0; padding: 16px;`;
const Brand = styled.span`display: block; margin-bottom: 4px; img { max-width: 120px; height: 24px; object-fit: contain; object-position: left; }`;
const Note = styled.span`
  font-size: 14px; color: var(--w-text-quiet); display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden;
  code { user-select: all; }
`;
