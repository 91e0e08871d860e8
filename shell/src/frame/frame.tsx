import type { Path } from '@wattle/sdk';
import { RouterLink, useLocation } from '@wattle/sdk/host';
import { Icon, LinkLook, TextLink } from '@wattle/ui';
import type { ReactElement, ReactNode } from 'react';
import { FormattedMessage } from 'react-intl';
import styled from 'styled-components';
import { useSession, useShell } from '../context';
import { useScreen, useWidthChanges } from '../screen';
import { Slot } from '../slot';
import { AccountMenu } from './account-menu';
import { Language } from './language';
import { Bar, PhoneBar, Rail, useMenu } from './menu';
import { PageLinks } from './page-links';
import { PhoneLink } from './phone-link';
import { Skip } from './skip';
import { StatementLink } from './statement-link';

/** Frame of a signed-in page. `bare`: menu and account page are hidden (8-relation-load-failed). */
export function Frame({
  landing,
  bare,
  page,
  children,
}: {
  landing: Path;
  bare: boolean;
  page: Path;
  children: ReactNode;
}): ReactElement {
  const shell = useShell();
  const screen = useScreen();
  const menu = useMenu();
  const location = useLocation();
  const closes = `${location.key} ${useWidthChanges()}`;
  const customer = useSession()?.role === 'customer'; // staff cannot open pages of customers
  const account = customer && !bare && shell.composition.routes.some((r) => r.path === '/account') ? '/account' : undefined;
  const language = <Language locale={shell.locale} setLocale={shell.setLocale} />;
  return (
    <>
      <Skip />
      <Head>
        <Logo to={landing} />
        <Right>
          {screen !== 'mobile' && language}
          {!bare && <Slot name="header" props={{}} frame={plain} />}
          {(screen !== 'mobile' || bare) && (
            <>
              {screen === 'mobile' && language}
              <AccountMenu key={closes} to={account} />
            </>
          )}
        </Right>
      </Head>
      {screen === 'bar' && !bare && menu.length > 0 && <Bar groups={menu} closes={closes} />}
      <Impersonation />
      <Columns>
        {screen === 'rail' && !bare && menu.length > 0 && <Rail groups={menu} />}
        <Main id="content" tabIndex={-1}>
          {!bare && <Slot name="notice" props={{ page }} frame={plain} />}
          {children}
        </Main>
      </Columns>
      <Footer />
      {screen === 'mobile' && !bare && (
        <PhoneBar groups={menu} closes={closes}>
          <PhoneAccount to={account} />
          {language}
        </PhoneBar>
      )}
    </>
  );
}

/** Frame of a page that needs no session. */
export function PublicFrame({ children }: { children: ReactNode }): ReactElement {
  const { locale, setLocale } = useShell();
  return (
    <>
      <Skip />
      <Head>
        <Logo to="/" />
        <Right>
          <Language locale={locale} setLocale={setLocale} />
        </Right>
      </Head>
      <Columns>
        <Main id="content" tabIndex={-1}>
          {children}
        </Main>
      </Columns>
      <Footer />
    </>
  );
}

const plain = ({ children }: { children: ReactNode }) => children;

/** 2.5-logo-landing */
function Logo({ to }: { to: Path }): ReactElement {
  const { label } = useShell().portal;
  return (
    <LogoLink to={to}>
      <img src={label.logo_on_header ?? label.logo} alt={label.name} />
    </LogoLink>
  );
}

/** On a phone the account menu is part of the sheet with the whole menu. */
function PhoneAccount({ to }: { to: string | undefined }): ReactElement | null {
  const { session } = useShell();
  const name = useSession()?.name;
  return (
    <AccountRows>
      <p>{name}</p>
      {to && (
        <RouterLink to={to}>
          <Icon name="user" size={20} /> <FormattedMessage id="shell.account" defaultMessage="Account" />
        </RouterLink>
      )}
      <button type="button" onClick={() => void session.signOut()}>
        <Icon name="sign-out" size={20} /> <FormattedMessage id="shell.sign_out" defaultMessage="Sign out" />
      </button>
    </AccountRows>
  );
}

/** 6-impersonator-banner: shown on every signed-in screen. */
function Impersonation(): ReactElement | null {
  const session = useSession();
  const shell = useShell();
  if (!session?.impersonator) return null;
  return (
    <Banner role="status" data-screen>
      <Icon name="eye" size={20} />
      <div>
        <span>
          <FormattedMessage
            id="shell.impersonation"
            defaultMessage="You are viewing as {name}. You cannot change anything."
            values={{ name: <strong>{session.name}</strong> }}
          />
        </span>
        <LinkLook onClick={() => void shell.session.signOut()}>
          <FormattedMessage id="shell.impersonation.stop" defaultMessage="Stop viewing" />
        </LinkLook>
      </div>
    </Banner>
  );
}

function Footer(): ReactElement {
  const { label } = useShell().portal;
  return (
    <Foot>
      <ul>
        <li>
          <TextLink href={`mailto:${label.email}`}>{label.email}</TextLink>
        </li>
        <li>
          <PhoneLink />
        </li>
        <PageLinks frame={Item} />
        <li>
          <StatementLink />
        </li>
      </ul>
      <Slot name="footer" props={{}} frame={plain} />
    </Foot>
  );
}

const Item = ({ children }: { children: ReactNode }) => <li>{children}</li>;

const Head = styled.header`
  position: sticky; top: 0; z-index: 10; display: flex; align-items: center; justify-content: space-between; gap: 16px; height: 64px; padding: 0 24px;
  background: var(--w-header); color: var(--w-on-header); border-bottom: 1px solid var(--w-line);
  @media (max-width: 767px) { height: 56px; padding: 0 16px; }
`;
const LogoLink = styled(RouterLink)`
  display: flex; align-items: center; min-height: 44px; min-width: 0; border-radius: 4px;
  img { max-width: 160px; height: 32px; object-fit: contain; object-position: left; }
  @media (max-width: 767px) { img { max-width: min(120px, 100%); height: 28px; } } /* and less beside many controls */
`;
const Right = styled.div`display: flex; align-items: center; gap: 16px; flex: none; @media (max-width: 767px) { gap: 8px; }`;
/** At least as high as the window: the footer is below it, and does not move while content is loading. */
const Columns = styled.div`
  display: flex; justify-content: center; min-height: calc(100vh - 56px);
  @media (min-width: 1100px) { justify-content: flex-start; }
`;
const Main = styled.main`flex: 1; min-width: 0; display: flex; flex-direction: column; align-items: center;`;
const Banner = styled.div`
  display: flex; gap: 12px; padding: 12px 24px; background: var(--w-warning-tint); color: var(--w-text);
  div { display: flex; flex-wrap: wrap; gap: 4px 16px; }
  border-bottom: 1px solid var(--w-line); border-left: 4px solid var(--w-warning);
  svg { color: var(--w-warning); flex: none; margin-top: 2px; }
  @media (max-width: 767px) { padding: 12px; }
`;
const AccountRows = styled.div`
  border-top: 1px solid var(--w-line); padding-top: 16px; display: flex; flex-direction: column;
  p { color: var(--w-text-quiet); font-size: 14px; padding: 0 12px; }
  a, button { display: flex; align-items: center; gap: 12px; padding: 0 12px; color: var(--w-text); text-decoration: none; border-radius: 8px; }
  svg { color: var(--w-text-quiet); }
`;
const Foot = styled.footer`
  border-top: 1px solid var(--w-line); padding: 24px 32px; font-size: 14px; color: var(--w-text-quiet); background: var(--w-surface);
  ul { list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: 4px 24px; }
  a { display: inline-flex; align-items: center; gap: .3em; min-height: 44px; }
  @media (max-width: 767px) { padding: 16px; ul { flex-direction: column; } }
`;
