import type { Path } from '@wattle/sdk';
import { type OverlayState, RouterLink, useLocation } from '@wattle/sdk/host';
import { Badge, BelowTitle, Icon, LinkLook, PhoneLink, TextLink, useOnline } from '@wattle/ui';
import { type ReactElement, type ReactNode, useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import styled, { css } from 'styled-components';
import { matches } from '../compose';
import { useSession, useShell } from '../context';
import { FirstPaintGate, useFirstPaintGate } from '../first-paint-gate';
import type { Label as PortalLabel } from '../portal';
import { useScreen, useWidthChanges } from '../screen';
import { NoticeNode, NoticePlace, Notices, Slot } from '../slot';
import { AccountMenu } from './account-menu';
import { Language } from './language';
import { Bar, PhoneBar, Rail, useMenu } from './menu';
import { PageLinks } from './page-links';
import { PublicLayout } from './public-layout';
import { Skip } from './skip';
import { StatementLink } from './statement-link';

/** Frame of a signed-in page. `bare` hides the menu and the account page (8-relation-load-failed). */
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
  const width = useWidthChanges();
  const closes = `${location.key} ${width}`;
  // a menu that opened an overlay is not remounted, because focus returns to it
  const remounts = `${((location.state as OverlayState | null)?.background ?? location).key} ${width}`;
  const isStaff = useSession()?.role === 'staff'; // staff cannot open customer pages
  const account = !isStaff && !bare && shell.composition.routes.some((r) => r.path === '/account') ? '/account' : undefined;
  const look = shell.portal.label.header_style;
  const alone = screen === 'mobile' && shell.composition.routes.some((r) => r.phoneBar === false && matches(r.path, page));
  const centered = look === 'centered' && screen !== 'mobile';
  const language = <Language locale={shell.locale} setLocale={shell.setLocale} />;
  return (
    <Whole>
      <Skip />
      <Head $look={look}>
        {centered && <div>{language}</div>}
        {alone && <Back to={landing} />}
        <Logo to={landing} />
        <Right>
          {isStaff && (
            <Badge tone="tint" icon="user">
              <FormattedMessage id="shell.staff" defaultMessage="Staff" />
            </Badge>
          )}
          {screen !== 'mobile' && !centered && language}
          {!bare && <Slot name="header" props={{}} frame={plain} />}
          {(screen !== 'mobile' || bare || alone) && (
            <>
              {screen === 'mobile' && <Language brief locale={shell.locale} setLocale={shell.setLocale} />}
              {!alone && <AccountMenu key={remounts} to={account} />}
            </>
          )}
        </Right>
      </Head>
      {(screen === 'bar' || centered) && !bare && menu.length > 0 && <Bar groups={menu} closes={remounts} centered={centered} />}
      <Impersonation />
      <Offline />
      <Columns $look={look}>
        {screen === 'rail' && !centered && !bare && menu.length > 0 && <Rail groups={menu} />}
        <Main id="content" tabIndex={-1}>
          {bare ? children : <WithNotices page={page}>{children}</WithNotices>}
        </Main>
      </Columns>
      <Footer look={look} />
      {screen === 'mobile' && !bare && !alone && (
        <PhoneBar groups={menu} closes={closes}>
          <PhoneAccount to={account} />
          {language}
        </PhoneBar>
      )}
    </Whole>
  );
}

/** Frame of a page that needs no session; `wide` omits the picture. */
export function PublicFrame({ wide, children }: { wide: boolean; children: ReactNode }): ReactElement {
  return (
    <PublicLayout wide={wide} logo={<Logo to="/" onPage />} foot={<FooterLinks />}>
      {children}
    </PublicLayout>
  );
}

/**
 * A page and its notices, which are below its title or where the page puts them. Both appear at the same time, so that notices do
 * not move the page (9-notice-still).
 */
function WithNotices({ page, children }: { page: Path; children: ReactNode }): ReactElement {
  const { held, hold } = useFirstPaintGate();
  const [node] = useState(() => document.createElement('div'));
  const { routes } = useShell().composition;
  const inPage = page === '/home' || routes.some((r) => r.path === page && r.notices);
  return (
    <FirstPaintGate value={hold}>
      <NoticeNode value={node}>
        <Notices page={page} hold={hold} />
        <Content $held={held}>
          <BelowTitle value={inPage ? null : <NoticePlace />}>{children}</BelowTitle>
        </Content>
      </NoticeNode>
    </FirstPaintGate>
  );
}

const plain = ({ children }: { children: ReactNode }) => children;

/** 2.5-logo-landing */
function Logo({ to, onPage }: { to: Path; onPage?: boolean }): ReactElement {
  const { label } = useShell().portal;
  return (
    <LogoLink to={to}>
      <img src={(!onPage && label.logo_on_header) || label.logo} alt={label.name} />
    </LogoLink>
  );
}

/** Leaves a page that has no menu bar. */
function Back({ to }: { to: Path }): ReactElement {
  const label = useIntl().formatMessage({ id: 'shell.leave', defaultMessage: 'Stop and go back' });
  return (
    <BackLink to={to} aria-label={label}>
      <Icon name="back" size={24} />
    </BackLink>
  );
}

/** On a phone, the account menu is part of the sheet with the whole menu. */
function PhoneAccount({ to }: { to: string | undefined }): ReactElement | null {
  const { session } = useShell();
  const name = useSession()?.name;
  const { pathname } = useLocation();
  return (
    <AccountRows>
      <p>{name}</p>
      {to && (
        <RouterLink to={to} aria-current={matches(to, pathname) ? 'page' : undefined}>
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

/** Shown on every signed-in screen while there is no connection: what still works (9-offline). */
function Offline(): ReactElement | null {
  if (useOnline()) return null;
  return (
    <Banner role="status" data-screen>
      <Icon name="alert" size={20} />
      <div>
        <FormattedMessage
          id="shell.offline"
          defaultMessage="You have no connection. You can still see what you had open; changes can be sent when you are connected again."
        />
      </div>
    </Banner>
  );
}

const Footer = ({ look }: { look: PortalLabel['header_style'] }): ReactElement => (
  <Foot $look={look}>
    <FooterLinks />
  </Foot>
);

/** Staff have no links to customer service and to the label's pages for customers (9-staff-footer). */
function FooterLinks(): ReactElement {
  const { label } = useShell().portal;
  const isStaff = useSession()?.role === 'staff';
  return (
    <>
      <Links>
        {!isStaff && (
          <>
            <li>
              <TextLink href={`mailto:${label.email}`}>{label.email}</TextLink>
            </li>
            <li>
              <PhoneLink number={label.phone} />
            </li>
            <PageLinks frame={Item} />
          </>
        )}
        <li>
          <StatementLink />
        </li>
      </Links>
      <Slot name="footer" props={{}} frame={plain} />
    </>
  );
}

const Item = ({ children }: { children: ReactNode }) => <li>{children}</li>;

/** The frame is as wide as the menu plus the widest page, and centered in a wider window. */
const widest = '1392px';
interface Look {
  $look: PortalLabel['header_style'];
}
/** The left edge of header, menu and footer, and of the page if there is no menu at the left. */
const edge = css<Look>`
  --edge: ${(p) => (p.$look === 'centered' ? 'max(32px, calc((100% - 1080px) / 2))' : `max(28px, calc((100% - ${widest}) / 2 + 28px))`)};
  @media (max-width: 1099px) { --edge: 24px; }
  @media (max-width: 767px) { --edge: 16px; }
`;
/** The logo is centered with the language at the left; the line is below the menu. */
const middle = css`
  @media (min-width: 768px) {
    display: grid; grid-template-columns: minmax(0, 1fr) auto minmax(0, 1fr); border-color: transparent;
    > a img { max-width: 200px; height: 40px; object-position: center; } > :last-child { justify-self: end; }
    > div:first-child { margin-left: -10px; }
  }
`;
const Head = styled.header<Look>`
  ${edge}
  --w-focus: var(--w-on-header);
  position: sticky; top: 0; z-index: 10; display: flex; align-items: center; justify-content: space-between; gap: 16px; height: 64px; padding: 0 var(--edge);
  background: var(--w-header); color: var(--w-on-header); border-bottom: 1px solid var(--w-line);
  @media (max-width: 767px) { height: 56px; }
  @media (max-width: 374px) { gap: 8px; }
  ${(p) => (p.$look === 'filled' ? 'border-color: transparent;' : p.$look === 'centered' ? middle : '')}
`;
const LogoLink = styled(RouterLink)`
  display: flex; align-items: center; min-height: 44px; min-width: 44px; border-radius: 4px;
  img { max-width: 160px; height: 32px; object-fit: contain; object-position: left; }
  @media (max-width: 767px) { img { max-width: min(120px, 100%); height: 28px; } } /* smaller next to many controls */
`;
const BackLink = styled(
  RouterLink,
)`display: grid; place-items: center; flex: none; width: 44px; height: 44px; margin: 0 -14px 0 -10px; color: inherit;`;
const Right = styled.div`display: flex; align-items: center; gap: 16px; flex: none; @media (max-width: 767px) { gap: 8px; } @media (max-width: 374px) { gap: 0; }`;
/** At least as high as the window. The footer appears after the content, because late content would move it. */
const Whole = styled.div`
  display: flex; flex-direction: column; min-height: calc(100vh - var(--w-bottom, 0px));
  &:not(:has(main h1)) > footer, &:has(main [role='status'][aria-busy]:not([hidden] *, [data-tile] *)) > footer { visibility: hidden; }
`;
const Columns = styled.div<Look>`
  display: flex; flex: 1; width: 100%; max-width: ${(p) => (p.$look === 'centered' ? '1144px' : widest)}; margin: 0 auto;
`;
const Main = styled.main`flex: 1; min-width: 0; display: flex; flex-direction: column;`;
const Content = styled.div<{ $held: boolean }>`
  flex: 1; min-width: 0; display: flex; flex-direction: column; ${(p) => p.$held && 'visibility: hidden;'}
`;
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
  a, button { display: flex; align-items: center; gap: 12px; padding: 0 12px; color: var(--w-text); text-decoration: none; border-radius: var(--w-radius-control); }
  svg { color: var(--w-text-quiet); }
  [aria-current] { background: var(--w-tint); color: var(--w-primary-ink); font-weight: 600; svg { color: inherit; } }
`;
const Foot = styled.footer<Look>`
  ${edge}
  border-top: 1px solid var(--w-line); padding: 24px var(--edge); font-size: 14px; color: var(--w-text-quiet); background: var(--w-surface);
  @media (max-width: 767px) { padding-block: 16px; }
`;
const Links = styled.ul`
  list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: 4px 24px;
  a { display: inline-flex; align-items: center; gap: .3em; min-height: 44px; }
`;
