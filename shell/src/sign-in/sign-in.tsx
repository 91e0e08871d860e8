import { LinkLook, Notice, PageTitle, PhoneLink, TextLink } from '@wattle/ui/start';
import { type ReactElement, Suspense, useEffect, useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import styled from 'styled-components';
import { slotItems } from '../compose';
import { useShell } from '../context';
import { PageLinks } from '../frame/page-links';
import { PublicLayout } from '../frame/public-layout';
import { StatementLink } from '../frame/statement-link';
import { lazyView } from '../lazy-view';
import { problemOf } from '../problem-text';
import { type FirstFilled, Forgot, NewPassword, SetPassword, SignInForm } from './forms';
import { SignInCode } from './sign-in-code';
import type { View } from './view';

const SlotView = lazyView(() => import(/* webpackChunkName: "sign-in-slot" */ './slot-view'));

export function SignIn(): ReactElement {
  const intl = useIntl();
  const { portal, startProblem, place } = useShell();
  const { label } = portal;
  const [view, setView] = useState<View>({
    name: 'sign-in',
    ...(startProblem ? { notice: <Problem code={startProblem} /> } : {}),
  });
  const [filled, setFilled] = useState<FirstFilled>({ username: '' });
  const [moved, setMoved] = useState(false);
  const go = (next: View) => {
    setMoved(true);
    setView(next);
  };
  const items = slotItems(
    'sign-in',
    portal.remotes.map((r) => r.manifest),
    place,
    portal.slots['sign-in'],
  );
  const closed = label.migrated && !label.migrated.form;
  const title = {
    'sign-in': closed
      ? intl.formatMessage({ id: 'shell.migrated.title', defaultMessage: 'We have moved' })
      : intl.formatMessage({ id: 'shell.sign_in', defaultMessage: 'Sign in' }),
    forgot: intl.formatMessage({ id: 'shell.forgot.title', defaultMessage: 'Forgotten your password?' }),
    code: intl.formatMessage({ id: 'shell.code.title', defaultMessage: 'Choose a new password' }),
    'new-password': intl.formatMessage({ id: 'shell.new_password.title', defaultMessage: 'Choose your own password' }),
    'sign-in-code': intl.formatMessage({ id: 'shell.sign_in_code.title', defaultMessage: 'Fill in your code' }),
    slot: '',
  }[view.name];
  const item = view.name === 'slot' ? items.find((i) => i.id === view.id) : undefined;
  const heading = item?.title ? intl.formatMessage(item.title) : title;
  const page = label.page_title || label.name;
  useEffect(() => {
    document.title = `${heading} | ${page}`;
  }, [heading, page]);
  const back = () => go({ name: 'sign-in' });
  return (
    <PublicLayout narrow logo={<Logo src={label.logo} alt={label.name} />} foot={<Help />}>
      <Column>
        <PageTitle key={`${view.name} ${item?.id ?? ''}`} focus={moved}>
          {heading}
        </PageTitle>
        {view.name === 'sign-in' && (
          <>
            {view.notice}
            {!closed && <SignInForm filled={filled} setFilled={setFilled} go={go} />}
            {label.migrated && <Migrated url={label.migrated.url} name={label.migrated.name} quiet={!closed} />}
            {!closed && items.length > 0 && (
              <Ways>
                {items.map((i) => (
                  <li key={i.id}>
                    {i.to ? (
                      <TextLink href={i.to}>{i.title && intl.formatMessage(i.title)}</TextLink>
                    ) : (
                      <LinkLook onClick={() => go({ name: 'slot', id: i.id })}>
                        {i.title ? intl.formatMessage(i.title) : i.id}
                      </LinkLook>
                    )}
                  </li>
                ))}
              </Ways>
            )}
          </>
        )}
        {view.name === 'forgot' && <Forgot filled={filled} setFilled={setFilled} go={go} back={back} />}
        {view.name === 'code' && <SetPassword username={view.username} go={go} back={back} />}
        {view.name === 'new-password' && <NewPassword challenge={view.challenge} go={go} back={back} />}
        {view.name === 'sign-in-code' && <SignInCode challenge={view.challenge} go={go} back={back} />}
        {item && (
          <Suspense fallback={null}>
            <SlotView item={item} back={back} />
          </Suspense>
        )}
      </Column>
    </PublicLayout>
  );
}

function Help(): ReactElement {
  const { phone } = useShell().portal.label;
  return (
    <Bottom>
      <span>
        <FormattedMessage
          id="shell.sign_in.help"
          defaultMessage="Need help? Call {phone}"
          values={{ phone: <PhoneLink number={phone} /> }}
        />
      </span>
      <PageLinks />
      <StatementLink />
    </Bottom>
  );
}

function Problem({ code }: { code: string }): ReactElement {
  return (
    <Notice tone="warning" live>
      {problemOf(useIntl(), { code })}
    </Notice>
  );
}

/**
 * A link to the new portal of a label that has moved, below the form if customers can still sign in here (1-migrated-labels,
 * 1-migrated-link-target, 1-migrated-test-host, 1-migrated-1024, 1-migrated-1024-reconcile).
 */
function Migrated({
  url,
  name,
  quiet,
}: {
  url?: string | null | undefined;
  name?: string | null | undefined;
  quiet: boolean;
}): ReactElement {
  const to = name ? (
    <FormattedMessage id="shell.migrated.go_to" defaultMessage="Go to {name}" values={{ name }} />
  ) : (
    <FormattedMessage id="shell.migrated.go" defaultMessage="Go to the new portal" />
  );
  if (quiet)
    return (
      <Notice>
        <FormattedMessage
          id="shell.migrated.open"
          defaultMessage="Our new portal is on its way. Until then you sign in on this page."
        />{' '}
        {url && <TextLink href={url}>{to}</TextLink>}
      </Notice>
    );
  return (
    <>
      <p>
        <FormattedMessage
          id="shell.migrated.text"
          defaultMessage="Your details and invoices are now in our new portal. There you sign in with your email address."
        />
      </p>
      {url && <Go href={url}>{to}</Go>}
    </>
  );
}

const Column = styled.div`
  width: 100%; max-width: calc(400px + 2 * var(--w-page-x, 24px)); padding: var(--w-page-top) var(--w-page-x, 24px) 48px;
  display: flex; flex-direction: column; gap: 24px; flex: 1;
  @media (max-width: 767px) { padding: 24px 16px 48px; max-width: 432px; }
`;
const Logo = styled.img`max-width: 160px; height: 32px; object-fit: contain; object-position: left;`;
const Ways = styled.ul`
  list-style: none; margin: 0; padding: 8px 0 0; border-top: 1px solid var(--w-line);
  li { display: flex; align-items: center; min-height: 48px; }
`;
const Bottom = styled.div`display: flex; flex-wrap: wrap; align-items: center; gap: 8px 24px; > span { flex-basis: 100%; }`;
const Go = styled.a`
  display: flex; align-items: center; justify-content: center; min-height: 48px; padding: 0 24px; border-radius: var(--w-radius-button); font-weight: 600;
  background: var(--w-primary); color: var(--w-on-primary); text-decoration: none; &:hover { background: var(--w-primary-hover); }
`;
