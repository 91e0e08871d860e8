import { useMay, useNavigate, useNotify, useNow, usePortal, useProblemText } from '@wattle/sdk';
import { Alert, Page, Row, Stack } from '@wattle/ui';
import { DateField } from '@wattle/ui/dates';
import { Form, FormActions, RadioGroup, SaveButton, Select, TextArea, TextField, useFields } from '@wattle/ui/forms';
import { useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import { api, changed } from './api';
import { checkReport, fieldOf, reportOf, type Typed } from './report.rules';

/** The page on which staff report an outage. */
export default function ReportPage() {
  const intl = useIntl();
  const text = useProblemText();
  const notify = useNotify();
  const navigate = useNavigate();
  const now = useNow();
  const { timeZone } = usePortal();
  const may = useMay('outages.saveOutage');
  const [id] = useState(() => crypto.randomUUID()); // a retry changes the same outage
  const save = api.useWrite('put', '/staff/outages/{id}', { changes: changed });
  const [initial] = useState<Typed>({
    commodity: '',
    kind: 'fault',
    areas: '',
    starts_day: now.day,
    starts_time: now.time,
    end_day: null,
    end_time: '',
    operator: '',
    text_nl: '',
    text_en: '',
  });
  const fields = useFields<Typed>({
    initial,
    changes: false,
    check: (v) =>
      Object.fromEntries(
        Object.entries(checkReport(v, timeZone)).map(([field, code]) => [field, code && text({ code })]),
      ) as Partial<Record<keyof Typed, string>>,
  });
  const { values } = fields;
  const submit = (v: Typed) =>
    save.mutate(
      { path: { id }, body: reportOf(v, timeZone) },
      {
        onSuccess: () => {
          notify({
            kind: 'notice',
            tone: 'good',
            text: intl.formatMessage({
              id: 'outages.report.done',
              defaultMessage: 'The outage is reported; customers with emails get one.',
            }),
          });
          navigate('/staff/outages');
        },
        onError: (p) => fields.refuse(Object.fromEntries((p.errors ?? []).map((e) => [fieldOf(e.field), text(e)]))),
      },
    );
  const isPlanned = values.kind === 'planned';
  return (
    <Page
      width="form"
      back={{ href: '/staff/outages', text: intl.formatMessage({ id: 'outages.title', defaultMessage: 'Outages' }) }}
      title={<FormattedMessage id="outages.staff.new" defaultMessage="Report an outage" />}
    >
      <Form busy={save.isPending} {...fields.form(submit)}>
        {save.error && !save.error.errors?.length && <Alert>{text(save.error)}</Alert>}
        <Stack gap={24}>
          <Select
            {...fields.field('commodity')}
            required
            label={<FormattedMessage id="outages.report.commodity" defaultMessage="What is interrupted" />}
            empty={intl.formatMessage({ id: 'outages.report.choose', defaultMessage: 'Choose power or gas' })}
            options={[
              { value: 'electricity', text: intl.formatMessage({ id: 'outages.report.electricity', defaultMessage: 'Power' }) },
              { value: 'gas', text: intl.formatMessage({ id: 'outages.report.gas', defaultMessage: 'Gas' }) },
            ]}
          />
          <RadioGroup
            {...fields.field('kind')}
            onChange={(kind) => fields.set('kind', kind as Typed['kind'])}
            label={<FormattedMessage id="outages.report.kind" defaultMessage="Kind" />}
            options={[
              { value: 'fault', text: <FormattedMessage id="outages.report.fault" defaultMessage="Fault" /> },
              { value: 'planned', text: <FormattedMessage id="outages.report.planned" defaultMessage="Planned work" /> },
            ]}
          />
          <TextArea
            {...fields.field('areas')}
            required
            rows={3}
            spellCheck={false}
            label={<FormattedMessage id="outages.staff.areas" defaultMessage="Postal codes" />}
            hint={
              <FormattedMessage
                id="outages.report.areas_hint"
                defaultMessage="1234 AB, or 1234 for a whole neighborhood. Several with commas or on lines."
              />
            }
          />
          <Row gap={16} align="start">
            <DateField
              {...fields.field('starts_day')}
              onChange={(day) => fields.set('starts_day', day)}
              required
              today={now.day}
              width={200}
              label={<FormattedMessage id="outages.start" defaultMessage="From" />}
            />
            <TextField
              {...fields.field('starts_time')}
              required
              width={112}
              maxLength={5}
              autoComplete="off"
              label={<FormattedMessage id="outages.report.time" defaultMessage="Time" />}
            />
          </Row>
          <Row gap={16} align="start">
            <DateField
              {...fields.field('end_day')}
              onChange={(day) => fields.set('end_day', day)}
              required={isPlanned}
              optional={!isPlanned}
              today={now.day}
              width={200}
              label={<FormattedMessage id="outages.report.end" defaultMessage="Expected end" />}
            />
            <TextField
              {...fields.field('end_time')}
              required={isPlanned}
              width={112}
              maxLength={5}
              autoComplete="off"
              label={<FormattedMessage id="outages.report.end_time" defaultMessage="Time of the end" />}
            />
          </Row>
          <TextField
            {...fields.field('operator')}
            optional
            maxLength={80}
            label={<FormattedMessage id="outages.operator" defaultMessage="Grid operator" />}
          />
          <TextArea
            {...fields.field('text_nl')}
            optional
            rows={3}
            label={<FormattedMessage id="outages.report.nl" defaultMessage="What is the matter, in Dutch" />}
          />
          <TextArea
            {...fields.field('text_en')}
            optional
            rows={3}
            label={<FormattedMessage id="outages.report.en" defaultMessage="What is the matter, in English" />}
          />
        </Stack>
        <FormActions>
          <SaveButton busy={save.isPending} disabledReason={may.ok ? fields.disabledReason : may.reason}>
            <FormattedMessage id="outages.report.save" defaultMessage="Report" />
          </SaveButton>
        </FormActions>
      </Form>
    </Page>
  );
}
