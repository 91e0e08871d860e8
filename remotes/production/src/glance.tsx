import { clockAt, useNow, usePortal, useSettings, useToday } from '@wattle/sdk';
import {
  Anchor,
  Badge,
  Big,
  energyDecimals,
  formatDay,
  formatEnergy,
  formatMoney,
  formatNumber,
  Icon,
  type IconName,
  Skeleton,
} from '@wattle/ui';
import { type ReactNode, useEffect } from 'react';
import { FormattedMessage } from 'react-intl';
import styled from 'styled-components';
import { api, marketplace, type OwnYield, type Settings } from './api';
import { freshness } from './fresh.rules';
import {
  comparedTo,
  households,
  isMeasured,
  measuredAt,
  ownPower,
  pageOf,
  sumOver,
  type Todo,
  todos,
  worthOf,
} from './glance.rules';
import { useOwnUse } from './own-use';
import { ProjectPicture } from './picture';
import { Freshness, Worth } from './texts';

/**
 * Returns the glance's data once all of it is known: undefined before that, and `nothing` (hidden) without shares or measurements.
 */
export function useGlance(hide: () => void) {
  const yields = api.useGet('/sustainable/yields', {}, { empty: [404] });
  const projects = marketplace.useGet('/sustainable/projects', {}, { empty: [404] });
  const todo = useTodos();
  const nothing = yields.isError || (yields.isFetched && !yields.data?.some(isMeasured));
  useEffect(() => {
    if (nothing) hide();
  }, [nothing, hide]);
  if (nothing) return 'nothing';
  if (!yields.data || projects.isPending || !todo) return undefined;
  const of = (code: string) => projects.data?.find((p) => p.project_code === code);
  return {
    own: [...yields.data].sort((a, b) => (b.year_production ?? 0) - (a.year_production ?? 0)),
    type: (code: string) => of(code)?.project_type,
    name: (code: string) => of(code)?.project_name ?? code,
    todo,
  };
}

/** What the member's shares produce, a comparison, and things to do (9-glance). Hidden without shares or measurements. */
export default function Glance({ hide }: { hide(): void }) {
  const glance = useGlance(hide);
  if (glance === 'nothing') return null;
  if (!glance) return <Skeleton shape="card" />;
  const { own, type, todo } = glance;
  const first = own[0] as OwnYield;
  const year = sumOver(own, 'year_production');
  const worth = worthOf(own, 'year');
  return (
    <Width>
      <Hero>
        <ProjectPicture project={first.project_code} type={type(first.project_code)} />
        <div>
          <Big
            unit={year === null ? undefined : 'kWh'}
            caption={
              <>
                <FormattedMessage
                  id="production.glance.year"
                  defaultMessage="{n, plural, one {made by your shares this year} other {made by your shares in # projects this year}}"
                  values={{ n: own.length }}
                />
                {worth !== null && (
                  <>
                    , <Worth euros={worth} />
                  </>
                )}
              </>
            }
          >
            {year === null ? '–' : formatNumber(year, energyDecimals('kWh'))}
          </Big>
          <Meaning year={year} last={sumOver(own, 'last_year_production')} />
          <ToDo todo={todo} />
          <Sums own={own} />
        </div>
      </Hero>
    </Width>
  );
}

/**
 * Compares the yield with the member's own usage if it is known, otherwise with that of households. `children` follow on the same
 * line.
 */
export function Meaning({ year, last, children }: { year: number | null; last: number | null; children?: ReactNode }) {
  const today = useToday();
  const used = useOwnUse(Number(today.slice(0, 4)) - 1);
  const { household_use } = useSettings<Settings>();
  let text: ReactNode = '\u00a0';
  if (used && last)
    text = (
      <FormattedMessage
        id="production.glance.own"
        defaultMessage="{size, select, times {Last year they made {n} times as much electricity as you used.} more {Last year they made {n}% more electricity than you used.} same {Last year they made about as much electricity as you used.} other {Last year they made {n}% of the electricity you used.}}"
        values={compared(last / used)}
      />
    );
  else if (used !== undefined && year)
    text = (
      <FormattedMessage
        id="production.glance.households"
        defaultMessage="{size, select, times {That is as much electricity as {n} average households use in that time.} more {That is {n}% more electricity than an average household uses in that time.} same {That is about as much electricity as an average household uses in that time.} other {That is {n}% of the electricity an average household uses in that time.}}"
        values={compared(households(year, household_use, today))}
      />
    );
  return (
    <MeaningText>
      {text} {children}
    </MeaningText>
  );
}

function compared(ratio: number) {
  const { size, n } = comparedTo(ratio);
  return { size, n: formatNumber(n, size === 'times' && n < 10 ? 1 : 0) };
}

/**
 * Three figures on one line at every width (9-glance-line). `short`: with this year instead of last year, and with the age of the
 * power only if it is not current.
 */
export function Sums({ own, short = false }: { own: readonly OwnYield[]; short?: boolean }) {
  const now = useNow();
  const { timeZone } = usePortal();
  const measured = measuredAt(own);
  const at = measured ? clockAt(measured, timeZone) : undefined;
  const fresh = at && freshness(at, now);
  const kW = sumOver(own, 'current_power');
  const power = kW === null ? undefined : ownPower(kW);
  const kWh = (value: number | null) =>
    value === null ? '–' : formatEnergy(value, 'kWh', value < 10 ? 'participation' : undefined);
  return (
    <Figures $short={short}>
      <div>
        <dt>
          <FormattedMessage
            id="production.now"
            defaultMessage="{live, select, live {Right now} other {Last measured}}"
            values={{ live: fresh ? fresh.kind : 'live' }}
          />
        </dt>
        <dd>
          {power ? `${formatNumber(power.value, power.unit === 'kW' ? 1 : 0)}\u00a0${power.unit}` : '–'}
          {fresh && at && !(short && fresh.kind === 'live') && (
            <Badge
              tone={fresh.kind === 'live' ? 'positive' : fresh.kind === 'since' ? 'warning' : 'neutral'}
              icon={fresh.kind === 'live' ? undefined : 'clock'}
            >
              <Freshness fresh={fresh} at={at} />
            </Badge>
          )}
        </dd>
      </div>
      <div>
        <dt>
          <FormattedMessage id="production.glance.today" defaultMessage="Today" />
        </dt>
        <dd>{kWh(sumOver(own, 'todays_production'))}</dd>
      </div>
      <div>
        <dt>
          {short ? (
            <FormattedMessage id="production.glance.this" defaultMessage="This year" />
          ) : (
            <FormattedMessage id="production.glance.last" defaultMessage="Last year" />
          )}
        </dt>
        <dd>
          {kWh(sumOver(own, short ? 'year_production' : 'last_year_production'))}
          {!short && <Amount euros={worthOf(own, 'last_year')} />}
        </dd>
      </div>
    </Figures>
  );
}

/** An amount below the energy that it was the value of, if it is known (9-glance-value). */
export const Amount = ({ euros }: { euros: number | null }) =>
  euros !== null && <small>{formatMoney(Math.round(euros * 100))}</small>;

const signs: Record<Todo['kind'], IconName> = { personal: 'gift', ends: 'clock' };

/** Returns the things that the member can do now, once their data is known; it does not wait for a request that has failed once. */
function useTodos(): Todo[] | undefined {
  const today = useToday();
  const projects = marketplace.useGet('/sustainable/projects', {}, { empty: [404] });
  const personal = marketplace.useGet('/sustainable/market', { query: { personal: true, empty: true } }, { empty: [403, 404] });
  if (personal.isPending && personal.failureCount === 0) return undefined;
  return todos({ personal: personal.data?.length ?? 0, projects: projects.data ?? [], today });
}

/** Renders nothing if there is nothing to do. `short`: only the lines. */
export function ToDo({ todo: all, short = false }: { todo: readonly Todo[]; short?: boolean }) {
  if (all.length === 0) return null;
  const list = (
    <List>
      {all.map((todo) => (
        <li key={JSON.stringify(todo)}>
          <Line href={pageOf[todo.kind]} $low={short}>
            <Icon name={signs[todo.kind]} size={20} />
            <span>
              {todo.kind === 'personal' ? (
                <FormattedMessage
                  id="production.todo.personal"
                  defaultMessage="{n, plural, one {A personal offer is} other {# personal offers are}} waiting for you"
                  values={{ n: todo.n }}
                />
              ) : (
                <FormattedMessage
                  id="production.todo.ends"
                  defaultMessage="{project} ends on {day}"
                  values={{ project: todo.project, day: formatDay(todo.day) }}
                />
              )}
            </span>
            <Icon name="right" size={20} />
          </Line>
        </li>
      ))}
    </List>
  );
  if (short) return list;
  return (
    <ToDoSection>
      <Heading>
        <FormattedMessage id="production.glance.todo" defaultMessage="To do" />
      </Heading>
      {list}
    </ToDoSection>
  );
}

const Width = styled.div`container-type: inline-size;`;
/** On a phone the picture is with the projects, so that what must be paid is on the first screen (9-home-number). */
const Hero = styled.div`
  display: grid; grid-template-columns: minmax(0, 5fr) minmax(0, 6fr); gap: 32px;
  @container (max-width: 639px) { grid-template-columns: minmax(0, 1fr); > span { display: none; } }
`;
const ToDoSection = styled.section`margin-top: 20px;`;
/** Reserves the lines of the text, which is rendered later. */
const MeaningText = styled.p`margin-top: 4px; min-height: 48px; text-wrap: pretty;`;
const Figures = styled.dl<{ $short: boolean }>`
  display: grid; grid-template-columns: repeat(3, auto); gap: 12px; margin: 20px 0 0; padding-top: 16px; border-top: 1px solid var(--w-line);
  dt { font-size: 14px; color: var(--w-text-quiet); }
  dd { margin: 0; display: flex; flex-wrap: wrap; align-items: center; gap: 4px 8px; font-size: 20px; font-weight: 600; font-variant-numeric: tabular-nums; }
  small { flex-basis: 100%; font-size: 14px; font-weight: 400; color: var(--w-text-quiet); }
  @container (max-width: 639px) { dd { font-size: 16px; } }
  @container (max-width: 279px) { dd { font-size: 14px; } }
  ${(p) => p.$short && '&& { margin: 0; padding: 0; border: 0; } @container (min-width: 640px) { && { gap: 48px; justify-content: start; } }'}
`;
const Heading = styled.h3`font-size: 16px; margin-bottom: 4px;`;
export const List = styled.ul`list-style: none; margin: 0; padding: 0; li { border-top: 1px solid var(--w-line); min-width: 0; }`;
export const Line = styled(Anchor)<{ $low?: boolean }>`
  display: flex; align-items: center; gap: 16px; min-height: ${(p) => (p.$low ? '44px; font-size: 14px' : '56px; padding: 8px 0')}; color: var(--w-text); text-decoration: none;
  > span:not([aria-hidden]) { flex: 1; min-width: 0; overflow-wrap: anywhere; }
  small { display: block; font-size: 14px; color: var(--w-text-quiet); }
  @container (max-width: 639px) { gap: 12px; > span[aria-hidden] { width: 56px; height: 40px; } }
  strong { font-weight: 600; font-variant-numeric: tabular-nums; white-space: nowrap; text-align: end; small { font-weight: 400; } }
  > svg { flex: none; color: var(--w-primary-ink); }
  &:hover { text-decoration: underline; }
`;
