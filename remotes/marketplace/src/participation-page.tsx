import { Slot, type SlotProps, useDownload, useMay, useNavigate, useProblemText, useToday } from '@wattle/sdk';
import {
  Alert,
  Big,
  Button,
  Card,
  CivilDate,
  Disclosure,
  EmptyState,
  formatNumber,
  Grid,
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
import { freeOf } from './own';
import { placeLine } from './place.rules';
import { ProjectName, Shares } from './words';

const phone = '(max-width: 767px)';
const watch = (on: () => void) => {
  const query = matchMedia(phone);
  query.addEventListener('change', on);
  return () => query.removeEventListener('change', on);
};
const usePhone = () => useSyncExternalStore(watch, () => matchMedia(phone).matches);

/** One's own participations: widgets for each project, and for each participation in it (2.5-participation-widgets). */
export default function ParticipationPage() {
  const projects = api.useGet('/sustainable/projects');
  // 8-projects-failed: a list that failed is an empty one
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

/** A widget: a panel that opens on a phone, a card elsewhere (2.5-participation-responsive). */
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
const widget: Frame = ({ title, children }) => <Widget title={title}>{children}</Widget>;

function ProjectPart({ project }: { project: Project }) {
  const text = useProblemText();
  const { download, busy, problem } = useDownload();
  const code = project.project_code;
  return (
    <Section
      title={<ProjectName project={project} />}
      actions={
        project.report && (
          <Button
            small
            icon="download"
            loading={busy}
            onClick={() => void download('/sustainable/projects/{code}/report', { path: { code } })}
          >
            <FormattedMessage id="marketplace.report" defaultMessage="Annual report" />
          </Button>
        )
      }
    >
      {problem && <Alert>{text(problem)}</Alert>}
      <Grid columns={3} min={280}>
        <Slot name="participation" props={{ project: code }} frame={widget} />
        {project.participations.map((p) => (
          <Part key={p.participation_identifier} project={project} participation={p} />
        ))}
      </Grid>
    </Section>
  );
}

function Part({ project, participation: p }: { project: Project; participation: Participation }) {
  const from = (day: string | null | undefined) => (day ? <CivilDate day={day} /> : '–');
  const rest: [boolean, string, ReactNode][] = [
    [true, 'available', formatNumber(p.availableShares)],
    [p.offered_share > 0, 'offered', formatNumber(p.offered_share)],
    [p.moving_share > 0, 'moving', formatNumber(p.moving_share)],
    [Boolean(p.supplier), 'supplier', p.supplier],
    [Boolean(p.supplierFromDate), 'since', from(p.supplierFromDate)],
    [Boolean(p.supplierToDate), 'until', from(p.supplierToDate)],
    [Boolean(p.mutation_date), 'changed', from(p.mutation_date)],
    [Boolean(p.projectEndDate), 'ends', from(p.projectEndDate)],
    [Boolean(p.provider_identifier), 'number', p.provider_identifier],
  ];
  return (
    <>
      <Wide>
        <Widget title={placeLine(p.address)} open>
          <Big>
            <Shares n={p.share} />
          </Big>
          <Known>
            {rest
              .filter(([there]) => there)
              .map(([, what, value]) => (
                <div key={what}>
                  <dt>
                    <FormattedMessage
                      id="marketplace.part"
                      defaultMessage="{what, select, available {Available} offered {On offer or sold} moving {About to move} supplier {Supplier} since {Supplied since} until {Supplied until} changed {Last change} ends {Project ends} other {Number}}"
                      values={{ what }}
                    />
                  </dt>
                  <dd>{value}</dd>
                </div>
              ))}
          </Known>
          <Actions project={project} participation={p} />
        </Widget>
      </Wide>
      <Slot name="participation" props={{ project: p.project_code, participation: p.participation_identifier }} frame={widget} />
    </>
  );
}

/** What can be done with the shares: the forms begin with this participation. */
function Actions({ project, participation: p }: { project: Project; participation: Participation }) {
  const text = useProblemText();
  const navigate = useNavigate();
  const receipt = useDownload();
  const mays = { sell: useMay(may.createOffer), give: useMay(may.transferShares), move: useMay(may.moveShares) };
  const selling = latest(project.member_offer_settings, useToday())?.allow_selling === true;
  const why = (what: keyof typeof mays): ReactNode => {
    const allowed = mays[what];
    if (!allowed.ok) return allowed.why;
    if (!selling) return <FormattedMessage id="marketplace.part.closed" defaultMessage="Not possible in this project now" />;
    return freeOf(p) === 0 && <FormattedMessage id="marketplace.part.none" defaultMessage="No shares available" />;
  };
  const go = (to: string) => () =>
    navigate(`/participation/${to}participation=${encodeURIComponent(p.participation_identifier)}`);
  return (
    <>
      <Buttons>
        <Button small icon="offer" why={why('sell')} onClick={go('create-offer?')}>
          <FormattedMessage id="marketplace.part.sell" defaultMessage="Sell" />
        </Button>
        <Button small icon="gift" why={why('give')} onClick={go('create-offer?kind=transfer&')}>
          <FormattedMessage id="marketplace.part.give" defaultMessage="Hand over" />
        </Button>
        <Button small icon="move" why={why('move')} onClick={go('move-shares?')}>
          <FormattedMessage id="marketplace.part.move" defaultMessage="Move" />
        </Button>
        <Button
          small
          variant="quiet"
          icon="download"
          loading={receipt.busy}
          onClick={() =>
            void receipt.download('/sustainable/participations/{id}/receipt', { path: { id: p.participation_identifier } })
          }
        >
          <FormattedMessage id="marketplace.part.receipt" defaultMessage="History" />
        </Button>
      </Buttons>
      {receipt.problem && <Alert>{text(receipt.problem)}</Alert>}
    </>
  );
}

const Wide = styled.div`@media (min-width: 768px) { grid-column: span 2; }`;
const Known = styled.dl`
  display: grid; grid-template-columns: repeat(auto-fill, minmax(136px, 1fr)); gap: 16px 24px; margin: 16px 0 24px;
  dt { font-size: 14px; color: var(--w-text-quiet); } dd { margin: 0; overflow-wrap: anywhere; }
`;
const Buttons = styled.div`display: flex; flex-wrap: wrap; gap: 8px;`;
