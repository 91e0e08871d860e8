import { useSearchParams, useSettings, useToday } from '@wattle/sdk';
import { Button, Card, EmptyState, ErrorState, IconButton, LinkButton, Page, Segmented, Skeleton, Stack } from '@wattle/ui';
import { FormattedMessage, useIntl } from 'react-intl';
import styled from 'styled-components';
import { api, marketplace, type Project, type Settings } from './api';
import { NowCard } from './now';
import { ProductionChart } from './production-chart';
import { choose, hasNext, next, periodNameOf, previous, readSelection, type Selection, views } from './view.rules';

/** 2.1-overview-route: the production of the projects in which the member has shares. */
export default function OverviewPage() {
  const projects = marketplace.useGet('/sustainable/projects', {}, { empty: [404] }); // 404: the label has no marketplace
  const yields = useYields();
  const all = projects.data ?? [];
  return (
    <Page width="wide" title={<FormattedMessage id="production.title" defaultMessage="Production" />}>
      {projects.isPending || (yields.isPending && yields.failureCount === 0) ? (
        <Waiting />
      ) : projects.isError ? (
        <ErrorState retrying={projects.isFetching} onRetry={() => void projects.refetch()} />
      ) : all.length === 0 ? (
        <EmptyState
          illustration="mill"
          title={<FormattedMessage id="production.none" defaultMessage="You do not take part in a project yet" />}
          action={
            <LinkButton href="/offers" variant="primary">
              <FormattedMessage id="production.to_offers" defaultMessage="See the offers" />
            </LinkButton>
          }
        >
          <FormattedMessage id="production.none.text" defaultMessage="Once you have shares, you see here what they produce." />
        </EmptyState>
      ) : (
        <Charts projects={all} />
      )}
    </Page>
  );
}

/** Reads the yields, which include the value of shares in euros if the label has prices (9-production-euro). */
const useYields = () => api.useGet('/sustainable/yields', {}, { empty: [404] });

/** The current view is in the URL, so that a reload and the back button keep it. */
function Charts({ projects }: { projects: readonly Project[] }) {
  const intl = useIntl();
  const today = useToday();
  const [search, setSearch] = useSearchParams();
  const shown = readSelection(search.get('view'), search.get('offset'));
  const project = projects.find((p) => p.project_code === search.get('project')) ?? (projects[0] as Project);
  const { charts } = useSettings<Settings>();
  const one = charts === 'one';
  const whole = one && search.get('of') === 'project';
  const made = useYields().data?.find((y) => y.project_code === project.project_code);
  const valued = !whole && (made?.year_value ?? made?.last_year_value ?? null) !== null;
  const euros = valued && search.get('in') === 'eur';
  const set = (next: Record<string, string | undefined>) =>
    setSearch(
      (before) => {
        const after = new URLSearchParams(before);
        for (const [name, value] of Object.entries(next)) value === undefined ? after.delete(name) : after.set(name, value);
        return after;
      },
      { replace: true, preventScrollReset: true },
    );
  const show = ({ view, offset }: Selection, code = project.project_code) =>
    set({ project: code, view, offset: offset < 0 ? String(offset) : undefined });
  const name = periodNameOf(shown, today, intl.locale);
  const period =
    typeof name === 'string' ? name : intl.formatMessage({ id: 'production.weeks', defaultMessage: '{first} to {last}' }, name);
  const common = { project: project.project_code, period, shown };
  const controls = (
    <Row $apart>
      <Segmented
        label={intl.formatMessage({ id: 'production.period', defaultMessage: 'Period' })}
        options={views.map((value) => ({
          value,
          text: (
            <FormattedMessage
              id="production.view"
              defaultMessage="{view, select, WEEK4_WEEKS {4 weeks} DAY_HOURS {Day} MONTH_DAYS {Month} YEAR_MONTHS {Year} other {3 years}}"
              values={{ view: value }}
            />
          ),
        }))}
        value={shown.view}
        onChange={(view) => show(choose(view))}
      />
      <Walk>
        <IconButton
          icon="left"
          label={intl.formatMessage({ id: 'production.previous', defaultMessage: 'Previous period' })}
          onClick={() => show(previous(shown))}
        />
        <strong aria-live="polite">{period}</strong>
        <IconButton
          icon="right"
          label={intl.formatMessage({ id: 'production.next', defaultMessage: 'Next period' })}
          disabledReason={
            hasNext(shown)
              ? undefined
              : intl.formatMessage({ id: 'production.last', defaultMessage: 'This is the latest period' })
          }
          onClick={() => show(next(shown))}
        />
      </Walk>
    </Row>
  );
  const wholeChart = (
    <ProductionChart
      {...common}
      folds={!one}
      controls={one && controls}
      kind="TOTAL_PROJECT"
      title={intl.formatMessage(
        {
          id: 'production.total',
          defaultMessage: '{type, select, WIND {Total wind production} other {Total solar production}}',
        },
        { type: project.project_type },
      )}
    />
  );
  return (
    <Stack gap={24}>
      <Row role="group" aria-label={intl.formatMessage({ id: 'production.projects', defaultMessage: 'Project' })}>
        {projects.map((p) => (
          <Choice
            key={p.project_code}
            icon={p.project_type === 'WIND' ? 'wind' : 'sun'}
            aria-pressed={p === project}
            onClick={() => show(shown, p.project_code)}
          >
            {p.project_name}
          </Choice>
        ))}
      </Row>
      {one && (
        <Segmented
          label={intl.formatMessage({ id: 'production.of', defaultMessage: 'Production of' })}
          options={[
            { value: 'shares', text: <FormattedMessage id="production.of.shares" defaultMessage="My shares" /> },
            { value: 'project', text: <FormattedMessage id="production.of.project" defaultMessage="Whole project" /> },
          ]}
          value={whole ? 'project' : 'shares'}
          onChange={(of) => set({ of: of === 'project' ? of : undefined })}
        />
      )}
      {!whole && (
        <ProductionChart
          {...common}
          euros={euros}
          controls={controls}
          unit={
            valued && (
              <Segmented
                label={intl.formatMessage({ id: 'production.in', defaultMessage: 'Your shares in' })}
                options={[
                  { value: 'kwh', text: 'kWh' },
                  { value: 'eur', text: '€' },
                ]}
                value={euros ? 'eur' : 'kwh'}
                onChange={(unit) => set({ in: unit === 'eur' ? unit : undefined })}
              />
            )
          }
          kind="SHARES_IN_PROJECT"
          title={intl.formatMessage({ id: 'production.shares', defaultMessage: 'Production of your shares' })}
        />
      )}
      {whole && wholeChart}
      <NowCard project={project} />
      {!one && wholeChart}
    </Stack>
  );
}

/** A placeholder in the shape of the content: the project, the number, the period and its chart. */
const Waiting = () => (
  <Stack gap={24}>
    <Skeleton shape="title" />
    <Card>
      <Stack gap={24}>
        <Skeleton shape="title" />
        <Skeleton shape="number" />
        <Skeleton shape="title" />
        <Skeleton shape="chart" />
      </Stack>
    </Card>
  </Stack>
);

const Row = styled.div<{ $apart?: boolean }>`
  display: flex; flex-wrap: wrap; align-items: center; gap: 8px ${(p) => (p.$apart ? '24px' : '8px')};
  ${(p) => p.$apart && 'justify-content: space-between; @media (max-width: 767px) { > div { flex: 1 1 100%; } }'}
`;
const Choice = styled(Button)`
  &[aria-pressed='true'] { background: var(--w-tint-strong); border-color: var(--w-primary-ink); color: var(--w-text); }
`;
const Walk = styled.div`
  display: flex; align-items: center; justify-content: space-between; gap: 4px;
  strong { min-width: 148px; text-align: center; font-weight: 600; font-variant-numeric: tabular-nums; }
`;
