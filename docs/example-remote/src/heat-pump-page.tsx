import { Slot, useDownload, useMay, useProblemText } from '@wattle/sdk';
import { Alert, Button, CivilDate, ErrorState, Page, Skeleton } from '@wattle/ui';
import { Form, TextField } from '@wattle/ui/forms';
import { lazy, type ReactElement, Suspense, useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import { api } from './api';

/** recharts is large: it is loaded when the chart is shown. */
const Mix = lazy(() => import('./mix'));

export default function HeatPumpPage(): ReactElement {
  const intl = useIntl();
  const text = useProblemText();
  const pump = api.useGet('/acme/heat-pump');
  const save = api.useWrite('put', '/acme/heat-pump', { changes: ['/acme/heat-pump'] });
  const may = useMay('acme.saveHeatPump');
  const manual = useDownload();
  const [name, setName] = useState('');
  if (pump.isPending) return <Skeleton shape="row" count={2} />;
  if (pump.isError) return <ErrorState onRetry={() => void pump.refetch()} />;
  return (
    <Page title={<FormattedMessage id="acme.title" defaultMessage="Heat pump" />}>
      <p>
        <CivilDate day={pump.data.installed_on} />
      </p>
      <Form onSubmit={() => save.mutate({ body: { name } })}>
        <TextField label={intl.formatMessage({ id: 'acme.name', defaultMessage: 'Name' })} value={name} onChange={setName} />
        <Button type="submit" variant="primary" loading={save.isPending} why={may.ok ? undefined : may.why}>
          <FormattedMessage id="acme.save" defaultMessage="Save" />
        </Button>
      </Form>
      <Button icon="download" loading={manual.busy} onClick={() => void manual.download('/acme/heat-pump/manual')}>
        <FormattedMessage id="acme.manual" defaultMessage="Manual" />
      </Button>
      {manual.problem && <Alert>{text(manual.problem)}</Alert>}
      <Suspense fallback={<Skeleton shape="card" />}>
        <Mix pump={80} />
      </Suspense>
      <Slot name="acme.pump" props={{ name: pump.data.name }} />
    </Page>
  );
}
