import { Button, Icon, Row, TextLink } from '@wattle/ui';
import { TextField } from '@wattle/ui/forms';
import { type FormEvent, type KeyboardEvent, type ReactNode, useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import styled, { css } from 'styled-components';

/** Cursor pagination; the previous cursors are kept for going back. `of` is the id of the list. */
export function useCursor(of: string) {
  const [seen, setSeen] = useState<{ of: string; cursors: readonly string[] }>({ of, cursors: [] });
  const cursors = seen.of === of ? seen.cursors : [];
  return {
    after: cursors.at(-1),
    page: cursors.length + 1,
    on: (next: string) => setSeen({ of, cursors: [...cursors, next] }),
    back: () => setSeen({ of, cursors: cursors.slice(0, -1) }),
  };
}

/** Buttons for the previous and next page; empty if there is only one page. */
export function Pager({ cursor, next }: { cursor: ReturnType<typeof useCursor>; next: string | undefined }) {
  const intl = useIntl();
  if (cursor.page === 1 && !next) return null;
  return (
    <Row as="nav" gap={8} justify="between" aria-label={intl.formatMessage({ id: 'staff.pages', defaultMessage: 'Pages' })}>
      <Quiet aria-live="polite">
        <FormattedMessage id="staff.page" defaultMessage="Page {page}" values={{ page: cursor.page }} />
      </Quiet>
      <Row gap={8}>
        {cursor.page > 1 && (
          <Button small icon="left" onClick={cursor.back}>
            <FormattedMessage id="staff.page_back" defaultMessage="Previous" />
          </Button>
        )}
        {next && (
          <Button small iconEnd="right" onClick={() => cursor.on(next)}>
            <FormattedMessage id="staff.page_on" defaultMessage="Next" />
          </Button>
        )}
      </Row>
    </Row>
  );
}

/**
 * Adds keys to a table: arrow keys move between rows, Home and End to the first and last row, within the column of checkboxes or
 * names. A click on a row activates its `data-open`. `quiet`: rows cannot be opened, so the keys are not explained.
 */
export function Rows({ children, quiet }: { children: ReactNode; quiet?: boolean }) {
  const move = (event: KeyboardEvent<HTMLDivElement>) => {
    const from = event.target as HTMLElement;
    const row = from.closest<HTMLElement>('tbody tr');
    const rows = row ? [...(row.closest('table')?.querySelectorAll('tbody tr:not(:has(> [scope="rowgroup"]))') ?? [])] : [];
    const at = row ? rows.indexOf(row) : -1;
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
    if (at < 0 || to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    const target = rows[to]?.querySelector<HTMLElement>(from.matches('input') ? 'input' : '[data-open], a');
    event.preventDefault();
    target?.focus();
  };
  return (
    <Table onKeyDown={move}>
      {children}
      {!quiet && (
        <Hint>
          <FormattedMessage id="staff.keys" defaultMessage="Arrow keys go from row to row, Enter opens." />
        </Hint>
      )}
    </Table>
  );
}

const opens = css`
  && { font-weight: 600; color: var(--w-primary-ink); text-align: left; text-decoration: none; border-radius: 4px; min-height: 24px; }
  &&:hover { text-decoration: underline; } &::after { content: ''; position: absolute; inset: 0; }
`;
/** The name in a row, which opens the row; a click anywhere in the row does the same. */
export const Open = styled.button.attrs({ type: 'button', 'data-open': '' } as object)`${opens}`;
/** Such a name that is the link to a page. */
export const OpenLink = styled(TextLink).attrs({ 'data-open': '' } as object)`${opens}`;
/** A control in a row that does not open the row. */
export const Above = styled.span`position: relative; z-index: 1; display: block; width: 24px; height: 44px; > div > div > span:nth-child(2) { flex: none; }`;

const Table = styled.div`
  border: 1px solid var(--w-line); border-radius: var(--w-radius); background: var(--w-surface); overflow: clip;
  tbody tr { position: relative; } td a, td button { position: relative; z-index: 1; } /* above what opens the row, which covers it */
  tbody tr:has([data-open]:hover) { background: var(--w-tint); }
  tbody tr:has([data-open]:focus-visible) { background: var(--w-tint); box-shadow: inset 3px 0 0 var(--w-primary-ink); }
  &:not(:has(tbody)) > p { display: none; }
  @media (max-width: 767px) { border: 0; background: none; border-radius: 0; overflow: visible; }
`;
const Hint = styled.p`
  padding: 8px var(--w-pad); border-top: 1px solid var(--w-line); font-size: 14px; color: var(--w-text-quiet);
  @media (max-width: 767px), (hover: none) { display: none; }
`;
export const Quiet = styled.span`color: var(--w-text-quiet);`;
export const Small = styled.div`font-size: 14px; font-weight: 400; color: var(--w-text-quiet); overflow-wrap: anywhere;`;

/** Filters in a row; on a phone the search field is above the others, two on a line. */
export const Filters = styled.div`
  display: flex; flex-wrap: wrap; gap: 12px 16px; align-items: flex-end;
  > form { flex: 1 1 280px; max-width: 480px; } > div { flex: 0 1 240px; min-width: 180px; }
  @media (max-width: 767px) { > form { flex: 1 1 100%; max-width: none; } > div { flex: 1 1 calc(50% - 8px); min-width: 0; max-width: none; } }
`;

interface SearchProps {
  value: string;
  onSearch(q: string): void;
}

/** The search for a customer, who may be on the phone: what can be searched for is said, and it is the largest field of the page. */
export const CustomerSearch = (props: SearchProps) => (
  <Large>
    <Search
      {...props}
      variant="primary"
      label={<FormattedMessage id="staff.find" defaultMessage="Find a customer" />}
      hint={
        <FormattedMessage
          id="staff.find_hint"
          defaultMessage="Name, customer number, email address, or postal code and house number"
        />
      }
    />
  </Large>
);

/** A search field that searches when it is submitted, with Enter or the button. */
export function Search({
  value,
  onSearch,
  label,
  hint,
  variant,
}: SearchProps & {
  label: ReactNode;
  hint?: ReactNode;
  /** `primary`: searching is what the page is for. */
  variant?: 'primary';
}) {
  const [typed, setTyped] = useState(value);
  const [was, setWas] = useState(value);
  if (was !== value) {
    setWas(value); // the URL has changed
    setTyped(value);
  }
  const send = (event: FormEvent) => {
    event.preventDefault();
    onSearch(typed.trim());
  };
  return (
    <SearchForm role="search" onSubmit={send}>
      <TextField
        type="search"
        before={variant && <Icon name="search" size={20} />}
        label={label}
        hint={hint}
        value={typed}
        onChange={setTyped}
        maxLength={100}
        autoComplete="off"
      />
      <Button type="submit" variant={variant} icon={variant ? undefined : 'search'}>
        <FormattedMessage id="staff.search" defaultMessage="Search" />
      </Button>
    </SearchForm>
  );
}

const SearchForm = styled.form`display: flex; gap: 8px; align-items: flex-end; > :first-child { flex: 1; } button { padding-inline: 16px; }`;
const Large = styled.div`
  padding: 16px var(--w-pad) var(--w-pad); border-radius: var(--w-radius); background: var(--w-tint);
  input { font-size: 20px; } button { min-height: 48px; }
`;
