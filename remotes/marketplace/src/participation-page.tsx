import { Slot, type SlotProps, useDownload, useMay, useNavigate, useProblemText, useToday } from '@wattle/sdk';
import {
  Alert,
  Big,
  Button,
  Card,
  Disclosure,
  EmptyState,
  formatDay,
  formatNumber,
  Grid,
  type IconName,
  LinkButton,
  Page,
  Section,
  Skeleton,
} from '@wattle/ui';
import { type ReactNode, useSyncExternalStore } from 'react';
import { FormattedMessage } from 'react-intl';
import styled from 'styled-components';
import { api, may, type Participation, type Project } from './api';
import { latest } from './offer.rules';
import { freeSharesOf } from './own';
import { placeLine } from './place.rules';
import { ProjectName, Shares } from './texts';

const phone = '(max-width: 767px)';
const watch = (on: () => void) => {
  const query = matchMedia(phone);
  query.addEventListener('change', on);
  return () => query.removeEventListener('change', on);
};
const usePhone = () => useSyncExternalStore(watch, () => matchMedia(phone).matches);

/** The member's participations: widgets per project, and per participation in it (2.5-participation-widgets). */
export default function ParticipationPage() {
  const projects = api.useGet('/sustainable/projects');
  // 8-projects-failed: a failed list counts as empty
  const own = (projects.data ?? []).filter((p) => p.participations.length > 0);
  return (
    <Page width="wide" title={<FormattedMessage id="marketplace.participation.title" defaultMessage="Your participation" />}>
      {projects.isPending ? (
        <Skeleton shape="card" count={2} />
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
        own.map((p) => <ProjectPart key={p.project_code} project={p} />)
      )}
    </Page>
  );
}

type Frame = NonNullable<SlotProps<'participation'>['frame']>;

/** A widget: a disclosure on a phone, a card on wider screens (2.5-participation-responsive). */
function Widget({ title, children, open = false }: { title: ReactNode; children: ReactNode; open?: boolean }) {
  return usePhone() ? (
    <Disclosure title={title} defaultOpen={open}>
      {children}
    </Disclosure>
  ) : (
    <Card title={title} level={3}>
      {children}
    </Card>
  );
}
const widget: Frame = ({ title, size, children }) =>
  size === 'third' ? (
    <Widget title={title}>{children}</Widget>
  ) : (
    <Wide>
      <Widget title={title} open>
        {children}
      </Widget>
    </Wide>
  );

function ProjectPart({ project }: { project: Project }) {
  const text = useProblemText();
  const { download, busy, problem } = useDownload();
  const code = project.project_code;
  return (
    <Section title={<ProjectName project={project} />}>
      <Grid columns={3} min={280}>
        <Slot name="participation" props={{ project: code }} frame={widget} />
        {project.report && (
          <Row>
            <Button
              small
              icon="download"
              loading={busy}
              onClick={() => void download('/sustainable/projects/{code}/report', { path: { code } })}
            >
              <FormattedMessage id="marketplace.report" defaultMessage="Annual report" />
            </Button>
            {problem && <Alert>{text(problem)}</Alert>}
          </Row>
        )}
        {project.participations.map((p) => (
          <Part key={p.participation_identifier} project={project} participation={p} />
        ))}
      </Grid>
    </Section>
  );
}

function Part({ project, participation: p }: { project: Project; participation: Participation }) {
  const day = (of: string | null) => of && formatDay(of);
  const known = {
    available: formatNumber(p.availableShares),
    offered: p.offered_share && formatNumber(p.offered_share),
    moving: p.moving_share && formatNumber(p.moving_share),
    supplier: p.supplier,
    since: day(p.supplierFromDate),
    changed: day(p.mutation_date),
    ends: day(p.projectEndDate),
    number: p.provider_identifier,
  };
  return (
    <>
      <Wide>
        <Widget title={placeLine(p.address)} open>
          <Big>
            <Shares n={p.share} />
          </Big>
          <Actions project={project} participation={p} />
          <Known>
            {Object.entries(known).map(
              ([what, value]) =>
                Boolean(value) && (
                  <div key={what}>
                    <dt>
                      <FormattedMessage
                        id="marketplace.part"
                        defaultMessage="{what, select, available {Available} offered {On offer or sold} moving {About to move} supplier {Supplier} since {Supplied since} changed {Last change} ends {Project ends} other {Number}}"
                        values={{ what }}
                      />
                    </dt>
                    <dd>{value}</dd>
                  </div>
                ),
            )}
          </Known>
        </Widget>
      </Wide>
      <Slot name="participation" props={{ project: p.project_code, participation: p.participation_identifier }} frame={widget} />
    </>
  );
}

const actions = [
  ['sell', 'offer', may.createOffer, 'create-offer?'],
  ['give', 'gift', may.transferShares, 'create-offer?kind=transfer&'],
  ['move', 'move', may.moveShares, 'move-shares?'],
] as const;

/** Links to the forms about the shares; this participation is preselected. */
function Actions({ project, participation: p }: { project: Project; participation: Participation }) {
  const text = useProblemText();
  const { download, busy, problem } = useDownload();
  const selling = latest(project.member_offer_settings, useToday())?.allow_selling;
  const why = !selling ? (
    <FormattedMessage id="marketplace.part.closed" defaultMessage="Not possible in this project now" />
  ) : (
    freeSharesOf(p) === 0 && <FormattedMessage id="marketplace.part.none" defaultMessage="No shares available" />
  );
  const id = p.participation_identifier;
  return (
    <>
      <Buttons>
        {actions.map(([what, icon, operation, to]) => (
          <Action key={what} icon={icon} operation={operation} why={why} to={`${to}participation=${encodeURIComponent(id)}`}>
            <Do what={what} />
          </Action>
        ))}
        <Button
          small
          variant="quiet"
          icon="download"
          loading={busy}
          onClick={() => void download('/sustainable/participations/{id}/receipt', { path: { id } })}
        >
          <Do what="history" />
        </Button>
      </Buttons>
      {problem && <Alert>{text(problem)}</Alert>}
    </>
  );
}

function Do({ what }: { what: string }) {
  return (
    <FormattedMessage
      id="marketplace.part.do"
      defaultMessage="{what, select, sell {Sell} give {Hand over} move {Move} other {History}}"
      values={{ what }}
    />
  );
}

function Action({
  operation,
  to,
  why,
  ...props
}: {
  operation: string;
  to: string;
  why: ReactNode;
  icon: IconName;
  children: ReactNode;
}) {
  const navigate = useNavigate();
  const allowed = useMay(operation);
  return <Button small {...props} why={allowed.ok ? why : allowed.why} onClick={() => navigate(`/participation/${to}`)} />;
}

const Row = styled.div`grid-column: 1 / -1;`;
const Wide = styled.div`display: grid; @media (min-width: 768px) { grid-column: span 2; }`;
const Known = styled.dl`
  display: grid; grid-template-columns: repeat(auto-fill, minmax(136px, 1fr)); gap: 16px 24px; margin: 24px 0 0;
  dt { font-size: 14px; color: var(--w-text-quiet); } dd { margin: 0; overflow-wrap: anywhere; }
`;
const Buttons = styled.div`display: flex; flex-wrap: wrap; gap: 8px; margin-top: 16px;`;
