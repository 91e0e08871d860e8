import { Slot, type SlotProps, useDownload, useMay, useNavigate, usePortal, useProblemText, useToday } from '@wattle/sdk';
import {
  Alert,
  Button,
  type ButtonVariant,
  Card,
  Disclosure,
  EmptyState,
  energyDecimals,
  formatDay,
  formatMoney,
  formatNumber,
  type IconName,
  LinkButton,
  Page,
  Skeleton,
  Small,
  Stack,
  TextLink,
} from '@wattle/ui';
import { Fragment, type ReactNode, useState, useSyncExternalStore } from 'react';
import { FormattedMessage } from 'react-intl';
import styled from 'styled-components';
import { api, may, type Participation, type Project, production } from './api';
import { latest } from './offer.rules';
import { freeSharesOf, takenOf } from './own';
import { placeLine } from './place.rules';
import { ProjectPicture } from './project-picture';
import { ProjectName } from './texts';

const phone = '(max-width: 767px)';
const watch = (on: () => void) => {
  const query = matchMedia(phone);
  query.addEventListener('change', on);
  return () => query.removeEventListener('change', on);
};
const usePhone = () => useSyncExternalStore(watch, () => matchMedia(phone).matches);

/**
 * The member's participations: a card per project, with widgets for the project and for each participation in it
 * (2.5-participation-widgets).
 */
export default function ParticipationPage() {
  const projects = api.useGet('/sustainable/projects');
  // 8-projects-failed: a failed list counts as empty
  const own = (projects.data ?? []).filter((p) => p.participations.length > 0);
  return (
    <Page width="wide" title={<FormattedMessage id="marketplace.participation.title" defaultMessage="My shares" />}>
      {projects.isPending ? (
        <Skeleton shape="chart" count={2} />
      ) : own.length === 0 ? (
        <EmptyState
          illustration="mill"
          title={<FormattedMessage id="marketplace.no_projects" defaultMessage="You do not take part in a project yet" />}
          action={
            <LinkButton href="/offers" variant="primary">
              <FormattedMessage id="marketplace.to_offers" defaultMessage="See the offers" />
            </LinkButton>
          }
        >
          <FormattedMessage
            id="marketplace.no_projects.text"
            defaultMessage="Your shares will be here once you have bought some."
          />
        </EmptyState>
      ) : (
        <Stack gap={24}>
          {own.length > 1 && <Sum projects={own} />}
          {own.map((p) => (
            <ProjectPart key={p.project_code} project={p} first={p === own[0]} />
          ))}
          <Privacy />
        </Stack>
      )}
    </Page>
  );
}

/** Reads what the shares in each project made. A label may have no module for that. */
const useYields = () => production.useGet('/sustainable/yields', {}, { empty: [404] });

const sharesIn = ({ participations }: Project): number => participations.reduce((sum, p) => sum + p.share, 0);

/** All projects together: the shares, and what they made this year, also in euros if all of that is known (9-participation-sum). */
function Sum({ projects }: { projects: readonly Project[] }) {
  const yields = useYields();
  const made = (yields.data ?? []).filter((y) => y.year_production !== null);
  const worth = made.flatMap((y) => y.year_value ?? []);
  const add = (all: readonly number[]) => all.reduce((sum, value) => sum + value, 0);
  // the sum of the amounts as the projects show them, as on /home
  const listed = made.map(({ year_production: kWh }) => (kWh && kWh >= 10 ? Math.round(kWh) : (kWh ?? 0)));
  const waiting = yields.isPending && '\u00a0';
  const figures = {
    shares: formatNumber(add(projects.map(sharesIn))),
    made: waiting || (made.length > 0 && formatHeadline(add(listed))),
    worth: waiting || (made.length > 0 && worth.length === made.length && formatMoney(Math.round(add(worth) * 100))),
  };
  return (
    <Card>
      <Figures>
        {Object.entries(figures).map(
          ([what, value]) =>
            value && (
              <div key={what}>
                <dt>
                  <FormattedMessage
                    id="marketplace.sum"
                    defaultMessage="{what, select, shares {Shares} made {Made this year} other {Worth}}"
                    values={{ what }}
                  />
                </dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </Figures>
    </Card>
  );
}

/**
 * A line that links to the privacy statement, if the label has one, for how the member's data is used (9-participation-privacy).
 */
function Privacy() {
  const { privacyUrl } = usePortal().label;
  return (
    privacyUrl && (
      <Small>
        <FormattedMessage
          id="marketplace.participation.privacy"
          defaultMessage="How we treat the data of your shares is in our <link>privacy statement</link>."
          values={{
            link: (words) => (
              <TextLink key="link" href={privacyUrl} external={!privacyUrl.startsWith('/')}>
                {words}
              </TextLink>
            ),
          }}
        />
      </Small>
    )
  );
}

type Frame = NonNullable<SlotProps<'participation'>['frame']>;

/** In a project card: a small item is a line across the card, any other item is next to the picture. */
const inCard: Frame = ({ title, size, children }) => (
  <Item $line={size === 'third'}>
    {title && <h3>{title}</h3>}
    <div>{children}</div>
  </Item>
);
const inDetails: Frame = ({ title, children }) => (
  <section>
    <h4>{title}</h4>
    <div>{children}</div>
  </section>
);

/**
 * Everything about a project: a disclosure on a phone, a card on wider screens (2.5-participation-responsive). On a phone only the
 * first is open; the others say the number of shares and what they made this year (9-participation-closed).
 */
function ProjectPart({ project, first }: { project: Project; first: boolean }) {
  const [open, setOpen] = useState(first);
  const phone = usePhone();
  const code = project.project_code;
  const title = <ProjectName project={project} />;
  const content = (
    <>
      <Parts>
        <Photo>
          <ProjectPicture code={code} type={project.project_type} />
        </Photo>
        <Slot name="participation" props={{ project: code }} frame={inCard} />
        {project.participations.map((p) => (
          <Own key={p.participation_identifier} participation={p} />
        ))}
        <Actions project={project} />
      </Parts>
      <Details>
        <Disclosure title={<FormattedMessage id="marketplace.details" defaultMessage="Details and documents" />}>
          <ProjectDetails project={project} />
        </Disclosure>
      </Details>
    </>
  );
  return phone ? (
    <Disclosure level={2} open={open} onToggle={setOpen} title={open ? title : <Closed project={project} />}>
      {content}
    </Disclosure>
  ) : (
    <Card level={2} title={title}>
      {content}
    </Card>
  );
}

/** The name of a project, with the number of the member's shares in it and what they made this year. */
function Closed({ project }: { project: Project }) {
  const made = useYields().data?.find((y) => y.project_code === project.project_code)?.year_production ?? null;
  return (
    <ProjectName
      project={project}
      line={
        <FormattedMessage
          id="marketplace.part.line"
          defaultMessage="{n, plural, one {# share} other {# shares}}{made, select, none {} other {, {made} this year}}"
          values={{
            n: sharesIn(project),
            made: made === null ? 'none' : formatHeadline(made),
          }}
        />
      }
    />
  );
}

/** Formats energy as headlines do (9-number-format). */
const formatHeadline = (kWh: number): string =>
  `${formatNumber(kWh, energyDecimals('kWh', kWh > 0 && kWh < 10 ? 'participation' : undefined))}\u00a0kWh`;

/** The shares at an address, and those that cannot be sold, each by the reason (9-participation-parts). */
function Own({ participation: p }: { participation: Participation }) {
  const place = placeLine(p.address);
  const parts = Object.entries(takenOf(p)).filter(([, n]) => n > 0);
  return (
    <Place aria-label={place}>
      <strong>
        <FormattedMessage
          id="marketplace.part.free"
          defaultMessage="{n, plural, one {# share} other {# shares}}, you can sell {free}"
          values={{ n: p.share, free: formatNumber(freeSharesOf(p)) }}
        />
      </strong>
      {parts.length > 0 && (
        <div>
          {parts.map(([what, n], at) => (
            <Fragment key={what}>
              {at > 0 && ' · '}
              <FormattedMessage
                id="marketplace.part.taken"
                defaultMessage="{what, select, offered {{n} on offer} reserved {{n} ordered, not paid yet} sold {{n} sold, not transferred yet} other {{count, plural, one {{n} is} other {{n} are}} going to move}}"
                values={{ what, n: formatNumber(n), count: n }}
              />
            </Fragment>
          ))}
        </div>
      )}
      <div>
        <FormattedMessage
          id="marketplace.part.place"
          defaultMessage="For your address {place}"
          values={{ place: <h3>{place}</h3> }}
        />
      </div>
    </Place>
  );
}

/** The project's report, and the history and facts of each participation (9-participation-order). */
function ProjectDetails({ project }: { project: Project }) {
  const { participations: all, project_code: code } = project;
  const report = project.report && (
    <Paper key="report" get={(download) => download('/sustainable/projects/{code}/report', { path: { code } })}>
      <FormattedMessage id="marketplace.report" defaultMessage="Annual report" />
    </Paper>
  );
  const history = ({ participation_identifier: id }: Participation) => (
    <Paper key={id} get={(download) => download('/sustainable/participations/{id}/receipt', { path: { id } })}>
      <ShareAction what="history" />
    </Paper>
  );
  const several = all.length > 1;
  return (
    <Stack gap={24}>
      {several ? report && <Buttons>{report}</Buttons> : <Buttons>{[report, all[0] && history(all[0])]}</Buttons>}
      {all.map((p) => (
        <Facts key={p.participation_identifier}>
          {several && (
            <Head>
              <h4>{placeLine(p.address)}</h4>
              <Buttons>{history(p)}</Buttons>
            </Head>
          )}
          <Known participation={p} />
          <Slot name="participation" props={{ project: code, participation: p.participation_identifier }} frame={inDetails} />
        </Facts>
      ))}
    </Stack>
  );
}

type Download = ReturnType<typeof useDownload>['download'];

/** A button that downloads a document; its error is shown below the buttons. */
function Paper({ get, children }: { get(download: Download): Promise<unknown>; children: ReactNode }) {
  const text = useProblemText();
  const { download, busy, problem } = useDownload();
  return (
    <>
      <Button small icon="download" loading={busy} onClick={() => void get(download)}>
        {children}
      </Button>
      {problem && <Alert>{text(problem)}</Alert>}
    </>
  );
}

function Known({ participation: p }: { participation: Participation }) {
  const day = (of: string | null) => of && formatDay(of);
  const known = {
    available: formatNumber(p.availableShares),
    supplier: p.supplier,
    since: day(p.supplierFromDate),
    changed: day(p.mutation_date),
    ends: day(p.projectEndDate),
    number: p.provider_identifier,
  };
  return (
    <List>
      {Object.entries(known).map(
        ([what, value]) =>
          Boolean(value) && (
            <div key={what}>
              <dt>
                <FormattedMessage
                  id="marketplace.part"
                  defaultMessage="{what, select, available {Available} supplier {Supplier} since {Supplied since} changed {Last change} ends {Project ends} other {Number}}"
                  values={{ what }}
                />
              </dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </List>
  );
}

const actions = [
  ['sell', 'offer', may.createOffer, 'create-offer', '', 'primary'],
  ['give', 'gift', may.transferShares, 'create-offer', 'kind=transfer', 'secondary'],
  ['move', 'move', may.moveShares, 'move-shares', '', 'quiet'],
] as const;

/**
 * What can be done with the shares in a project, in one row, the most used first (9-participation-actions). The forms preselect the
 * shares if they are at one address; otherwise the member chooses them there.
 */
function Actions({ project }: { project: Project }) {
  const { participations: all } = project;
  const selling = latest(project.member_offer_settings, useToday())?.allow_selling;
  const disabledReason = !selling ? (
    <FormattedMessage id="marketplace.part.closed" defaultMessage="Not possible in this project now" />
  ) : (
    all.every((p) => freeSharesOf(p) === 0) && (
      <FormattedMessage id="marketplace.part.none" defaultMessage="No shares available" />
    )
  );
  const [only, ...others] = all;
  const chosen = only && others.length === 0 && `participation=${encodeURIComponent(only.participation_identifier)}`;
  return (
    <ActionRow>
      {actions.map(([what, icon, operation, form, kind, variant]) => {
        const query = [kind, chosen].filter(Boolean).join('&');
        return (
          <Action
            key={what}
            icon={icon}
            variant={variant}
            operation={operation}
            disabledReason={disabledReason}
            to={form + (query && `?${query}`)}
          >
            <ShareAction what={what} />
          </Action>
        );
      })}
    </ActionRow>
  );
}

function ShareAction({ what }: { what: string }) {
  return (
    <FormattedMessage
      id="marketplace.part.do"
      defaultMessage="{what, select, sell {Sell} give {Transfer} move {Move} other {History}}"
      values={{ what }}
    />
  );
}

function Action({
  operation,
  to,
  disabledReason,
  ...props
}: {
  operation: string;
  to: string;
  disabledReason: ReactNode;
  icon: IconName;
  variant: ButtonVariant;
  children: ReactNode;
}) {
  const navigate = useNavigate();
  const allowed = useMay(operation);
  return (
    <Button
      small
      {...props}
      disabledReason={allowed.ok ? disabledReason : allowed.reason}
      onClick={() => navigate(`/participation/${to}`)}
    />
  );
}

/** The picture is next to the project's widgets, or above them on a phone; full-width lines are below. */
const Parts = styled.div`
  display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); gap: 16px 32px;
  h3 { font: inherit; } > * { min-width: 0; }
  @media (max-width: 767px) { grid-template-columns: minmax(0, 1fr); }
`;
const Photo = styled.div`
  display: grid; > div { height: 100%; min-height: 216px; border-radius: calc(var(--w-radius) * .75); position: relative; }
  img { position: absolute; inset: 0; }
  @media (max-width: 767px) { > div { min-height: 0; height: 152px; } }
`;
const Item = styled.section<{ $line: boolean }>`
  > h3 { font-size: 14px; color: var(--w-text-quiet); }
  ${(p) =>
    p.$line
      ? `grid-column: 1 / -1; display: flex; flex-wrap: wrap; align-items: center; gap: 0 16px; padding-top: 8px; border-top: 1px solid var(--w-line); > div { flex: 1; min-width: 0; }
         @media (max-width: 767px) { > h3 { flex-basis: 100%; } }`
      : 'grid-column: -2; @media (max-width: 767px) { order: -1; }'}
`;
const Figures = styled.dl`
  display: grid; grid-template-columns: repeat(3, auto); gap: 4px 48px; justify-content: start; margin: 0;
  dt { font-size: 14px; color: var(--w-text-quiet); } dd { margin: 0; font-size: 20px; font-weight: 600; font-variant-numeric: tabular-nums; white-space: nowrap; }
  @media (max-width: 767px) { gap: 4px 12px; justify-content: space-between; dd { font-size: 16px; } }
`;
const Place = styled.section`
  grid-column: 1 / -1; padding-top: 16px; border-top: 1px solid var(--w-line);
  strong { font-weight: 600; } > div { font-size: 14px; color: var(--w-text-quiet); } h3 { display: inline; }
`;
const Buttons = styled.div`
  display: flex; flex-wrap: wrap; gap: 8px; min-width: 0; max-width: 100%;
  > [role='alert'] { flex-basis: 100%; }
  @media (max-width: 767px) { flex: 1 1 100%; > * { flex: 1 1 auto; } button { width: 100%; padding-inline: 8px; } button > svg { display: none; } }
`;
/** On a phone two columns, with what looks like a link below them. */
const ActionRow = styled(Buttons)`
  grid-column: 1 / -1;
  @media (max-width: 767px) { display: grid; grid-template-columns: 1fr 1fr; > :last-child { grid-column: 1 / -1; } }
`;
/** A full-width row in the card, without its own frame. */
const Details = styled.div`
  margin: 24px calc(-1 * var(--w-pad)) calc(-1 * var(--w-pad)); border-top: 1px solid var(--w-line);
  > div { border: 0; background: none; }
`;
const Facts = styled.div`
  display: flex; flex-direction: column; gap: 16px;
  & + & { padding-top: 24px; border-top: 1px solid var(--w-line); }
  section { padding-top: 16px; border-top: 1px solid var(--w-line); }
`;
const Head = styled.div`display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 8px 24px;`;
const List = styled.dl`
  display: grid; grid-template-columns: repeat(auto-fill, minmax(136px, 1fr)); gap: 16px 24px; margin: 0;
  dt { font-size: 14px; color: var(--w-text-quiet); } dd { margin: 0; overflow-wrap: anywhere; }
`;
