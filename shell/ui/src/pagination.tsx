import { useIntl } from 'react-intl';
import styled from 'styled-components';
import { formatNumber } from './format';
import { Icon } from './icon';

export interface PaginationProps {
  /** The current page, starting at 1. */
  page: number;
  /** Number of rows per page. */
  pageSize: number;
  /** Total number of rows. */
  total: number;
  /** Called with the chosen page, starting at 1. */
  onPage(page: number): void;
  /** Name for screen readers; by default "Pages" in the language of the page. */
  label?: string | undefined;
}

/** Shows "1–10 of 37" at the left and the pages at the right. With a single page only the total is shown. */
export function Pagination({ page, pageSize, total, onPage, label }: PaginationProps) {
  const intl = useIntl();
  const pages = Math.max(1, Math.ceil(total / pageSize));
  const from = total === 0 ? 0 : (page - 1) * pageSize + 1;
  const to = Math.min(total, page * pageSize);
  const range = from === to ? formatNumber(to) : `${formatNumber(from)}–${formatNumber(to)}`;
  return (
    <Bar aria-label={label ?? intl.formatMessage({ id: 'ui.pages', defaultMessage: 'Pages' })}>
      <span aria-live="polite">
        {intl.formatMessage({ id: 'ui.range', defaultMessage: '{range} of {total}' }, { range, total: formatNumber(total) })}
      </span>
      {pages > 1 && (
        <ul>
          <li>
            <Go
              type="button"
              aria-label={intl.formatMessage({ id: 'ui.page_previous', defaultMessage: 'Previous page' })}
              aria-disabled={page <= 1 || undefined}
              onClick={() => page > 1 && onPage(page - 1)}
            >
              <Icon name="left" />
            </Go>
          </li>
          {[...pagesAround(page, pages).entries()].map(([place, number]) =>
            number === null ? (
              <li key={`gap${place}`} aria-hidden="true">
                …
              </li>
            ) : (
              <li key={number} data-far={Math.abs(number - page) > 1 || undefined}>
                <Go
                  type="button"
                  aria-label={intl.formatMessage({ id: 'ui.page', defaultMessage: 'Page {page}' }, { page: number })}
                  aria-current={number === page ? 'page' : undefined}
                  onClick={() => number !== page && onPage(number)}
                >
                  {number}
                </Go>
              </li>
            ),
          )}
          <li>
            <Go
              type="button"
              aria-label={intl.formatMessage({ id: 'ui.page_next', defaultMessage: 'Next page' })}
              aria-disabled={page >= pages || undefined}
              onClick={() => page < pages && onPage(page + 1)}
            >
              <Icon name="right" />
            </Go>
          </li>
        </ul>
      )}
    </Bar>
  );
}

/**
 * Returns the first and last page and those around the current one; null is a gap. At most seven, so that the layout does not
 * shift.
 */
export function pagesAround(page: number, pages: number): (number | null)[] {
  if (pages <= 7) return Array.from({ length: pages }, (_, index) => index + 1);
  const from = Math.max(2, Math.min(page - 1, pages - 4));
  const to = Math.min(pages - 1, Math.max(page + 1, 5));
  const middle = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  return [1, ...(from > 2 ? [null] : []), ...middle, ...(to < pages - 1 ? [null] : []), pages];
}

const Bar = styled.nav`
  display: flex; align-items: center; justify-content: space-between; gap: 8px 16px; flex-wrap: wrap; min-height: 44px; font-variant-numeric: tabular-nums;
  > span { color: var(--w-text-quiet); }
  ul { display: flex; align-items: center; gap: 4px; list-style: none; } li[aria-hidden] { width: 24px; text-align: center; color: var(--w-text-quiet); }
  @media (max-width: 767px) { ul { gap: 0; } li[data-far] { display: none; } }
`;
const Go = styled.button`
  display: grid; place-items: center; min-width: 44px; height: 44px; padding: 0 4px; border-radius: var(--w-radius-control); color: var(--w-primary-ink);
  &:hover { background: var(--w-tint); } &:active { background: var(--w-tint-strong); }
  &[aria-current] { background: var(--w-tint-strong); color: var(--w-text); font-weight: 600; cursor: default; }
  &[aria-disabled='true'] { color: var(--w-text-quiet); opacity: .5; cursor: not-allowed; background: none; }
`;
