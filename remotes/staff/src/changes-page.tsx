import { useSearchParams } from '@wattle/sdk';
import { EmptyState, Page } from '@wattle/ui';
import { Select } from '@wattle/ui/forms';
import { FormattedMessage, useIntl } from 'react-intl';
import { api } from './api';
import { kinds } from './change.rules';
import { Filters, Search } from './listing';
import { Queue } from './queue';
import { useKind } from './texts';

/** Returns the filter in the URL, where it is so that a view can be shared with a colleague. */
export function useFilter() {
  const [params, setParams] = useSearchParams();
  const set = (name: string, value: string) =>
    setParams(
      (p) => {
        const q = new URLSearchParams(p);
        for (const old of ['id', ...(name === 'page' ? [] : ['page'])]) q.delete(old);
        if (value) q.set(name, value);
        else q.delete(name);
        return q;
      },
      { replace: true, preventScrollReset: true },
    );
  return [(name: string) => params.get(name) ?? '', set] as const;
}

/** 6-staff-change-requests: requests of all kinds in one queue. */
export default function ChangesPage() {
  const intl = useIntl();
  const kindOf = useKind();
  const [of, set] = useFilter();
  const summary = api.useGet('/staff/changes/summary').data ?? {};
  const kind = of('kind');
  const state = of('state') || 'PENDING';
  // Kinds without pending requests can also be selected; marketplace kinds only if the label has a marketplace.
  const known = kinds.filter((k) => !k.startsWith('marketplace.') || summary[k]);
  const all = [...new Set([...known, ...Object.keys(summary), ...(kind ? [kind] : [])])];
  return (
    <Page
      width="wide"
      title={<FormattedMessage id="staff.changes.title" defaultMessage="Changes" />}
      sentence={
        <FormattedMessage
          id="staff.changes.intro"
          defaultMessage="What customers asked us to change. Nothing holds before it is decided here."
        />
      }
    >
      <Filters>
        <Search
          value={of('q')}
          onSearch={(q) => set('q', q)}
          label={<FormattedMessage id="staff.changes.search" defaultMessage="Search in requests" />}
        />
        <div>
          <Select
            label={<FormattedMessage id="staff.changes.kind" defaultMessage="Kind" />}
            value={kind}
            onChange={(v) => set('kind', v)}
            empty={intl.formatMessage({ id: 'staff.changes.all', defaultMessage: 'All kinds' })}
            options={all.map((k) => ({ value: k, text: summary[k] ? `${kindOf(k)} (${summary[k]})` : kindOf(k) }))}
          />
        </div>
        <div>
          <Select
            label={<FormattedMessage id="staff.col.state" defaultMessage="State" />}
            value={state}
            onChange={(v) => set('state', v)}
            options={(['PENDING', 'PROCESSED', 'REJECTED'] as const).map((s) => ({
              value: s,
              text: intl.formatMessage(
                {
                  id: 'staff.state',
                  defaultMessage: '{state, select, PENDING {Waiting} PROCESSED {Processed} other {Rejected}}',
                },
                { state: s },
              ),
            }))}
          />
        </div>
      </Filters>
      <Queue
        label={intl.formatMessage({ id: 'staff.changes.title', defaultMessage: 'Changes' })}
        kind={kind}
        state={state}
        q={of('q')}
        empty={
          <EmptyState title={<FormattedMessage id="staff.changes.none" defaultMessage="No requests here" />}>
            <FormattedMessage
              id="staff.changes.none_text"
              defaultMessage="As soon as a customer asks for a change it stands here."
            />
          </EmptyState>
        }
      />
    </Page>
  );
}
