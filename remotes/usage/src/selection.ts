import { useSearchParams, useToday } from '@wattle/sdk';
import { api, type Connection } from './api';
import { type Span, type Unit, unitsOf, type View } from './series.rules';

/** The current view of the charts. It is in the URL, so that reloads, bookmarks and the back button keep it. */
export interface Selection {
  span: Span;
  /** A day in the period; today if none was chosen. */
  day: string;
  chosen: boolean;
  unit: Unit;
  view: View;
}

const oneOf = <T extends string>(values: readonly T[], asked: string | null, otherwise: T): T =>
  values.find((v) => v === asked) ?? otherwise;

/** @returns the current view, and a function that changes it: the unit follows the span unless both are given */
export function useSelection(): [Selection, (next: Partial<Omit<Selection, 'chosen'>>) => void] {
  const today = useToday();
  const [search, setSearch] = useSearchParams();
  const span = oneOf(Object.keys(unitsOf) as Span[], search.get('span'), 'month');
  const requestedDay = search.get('day') ?? '';
  const chosen = /^\d{4}-\d\d-\d\d$/.test(requestedDay) && !Number.isNaN(Date.parse(requestedDay));
  const shown: Selection = {
    span,
    day: chosen ? requestedDay : today,
    chosen,
    unit: oneOf(unitsOf[span], search.get('unit'), unitsOf[span][0] ?? 'day'),
    view: oneOf(['usage', 'feedin'], search.get('view'), 'usage'),
  };
  const show = (next: Partial<Omit<Selection, 'chosen'>>) =>
    setSearch(
      (before) => {
        const after = new URLSearchParams(before);
        if (next.span && next.span !== span) after.delete('unit');
        for (const [name, value] of Object.entries(next)) after.set(name, value);
        return after;
      },
      { replace: true, preventScrollReset: true },
    );
  return [shown, show];
}

/** Returns the last measured day of any of these connections; undefined while it is loading, and if nothing was measured. */
export function useLastDay(connections: readonly Connection[], enabled: boolean): { pending: boolean; last: string | undefined } {
  const latest = api.useGet('/usage/latest', {}, { enabled });
  const days = (latest.data ?? [])
    .filter((l) => connections.some((c) => c.ean_code === l.ean_code))
    .flatMap(({ last_day: day }) => (day ? [day] : []));
  return { pending: enabled && latest.isPending, last: days.sort().at(-1) };
}
