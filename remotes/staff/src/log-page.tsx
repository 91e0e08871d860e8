import { Page } from '@wattle/ui';
import { Select } from '@wattle/ui/forms';
import { FormattedMessage, useIntl } from 'react-intl';
import { useFilter } from './changes-page';
import { Filters } from './listing';
import { LogTable } from './log-table';

const groups = ['change.', 'impersonation.', 'staff.', 'operation.'] as const;

/** The audit log of staff and back offices, which cannot be changed. */
export default function LogPage() {
  const intl = useIntl();
  const [of, set] = useFilter();
  const text = (group: string) =>
    intl.formatMessage(
      {
        id: 'staff.log.group',
        defaultMessage:
          '{group, select, change {Change requests} impersonation {Looking along} staff {Customers} other {Other actions}}',
      },
      { group: group.slice(0, -1) },
    );
  return (
    <Page
      width="wide"
      title={<FormattedMessage id="staff.log.title" defaultMessage="Log" />}
      sentence={
        <FormattedMessage
          id="staff.log.intro"
          defaultMessage="Who looked at what and who decided what. Nobody can change or remove a line."
        />
      }
    >
      <Filters>
        <div>
          <Select
            label={<FormattedMessage id="staff.log.about" defaultMessage="Only about" />}
            value={of('action')}
            onChange={(v) => set('action', v)}
            empty={intl.formatMessage({ id: 'staff.log.all', defaultMessage: 'Everything' })}
            options={groups.map((g) => ({ value: g, text: text(g) }))}
          />
        </div>
      </Filters>
      <LogTable relation={of('relation')} action={of('action')} />
    </Page>
  );
}
