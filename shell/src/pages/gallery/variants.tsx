import {
  Alert,
  Badge,
  Button,
  Card,
  CivilDate,
  EmptyState,
  ErrorState,
  Facts,
  Grid,
  Icon,
  IconButton,
  Illustration,
  Money,
  Notice,
  Row,
  Sheet,
  SheetFooter,
  Skeleton,
  Small,
  Stack,
  SubHeading,
  showToast,
  useSheetClose,
} from '@wattle/ui';
import { DateField } from '@wattle/ui/dates';
import { Checkbox, Form, RadioGroup, SaveButton, Select, SliderField, TextField, useFields } from '@wattle/ui/forms';
import { DataTable } from '@wattle/ui/table';
import { type ComponentType, lazy, useState } from 'react';
import styled from 'styled-components';
import { BarsByMonthVariants, PeriodChartVariants } from './chart-variants';
import type { Example } from './example';
import { icons } from './kit.gen';

const noop = () => undefined;

function ButtonVariants({ say }: Example) {
  return (
    <Row align="start">
      <Button variant="danger" icon="remove">
        {say('Verwijderen', 'Remove')}
      </Button>
      <Button variant="primary" loading>
        {say('Opslaan', 'Save')}
      </Button>
      <Button small icon="download">
        Download
      </Button>
    </Row>
  );
}

function IconButtonVariants({ say }: Example) {
  return (
    <IconButton
      icon="download"
      label={say('Download de factuur van december', 'Download the invoice of December')}
      disabledReason={say('De factuur wordt nog gemaakt.', 'The invoice is still being made.')}
    />
  );
}

function NoticeVariants({ say }: Example) {
  return (
    <Stack>
      <Notice>{say('We zijn op 1 januari gesloten.', 'We are closed on 1 January.')}</Notice>
      <Notice tone="positive">{say('Je e-mailadres is gewijzigd.', 'Your email address has been changed.')}</Notice>
      <Notice tone="warning" title={say('Je opzegtermijn loopt af', 'Your notice period is ending')} onClose={noop}>
        {say('Verleng vóór 01-12-2026 om je tarief te houden.', 'Renew before 01-12-2026 to keep your rate.')}
      </Notice>
    </Stack>
  );
}

function AlertVariants({ say }: Example) {
  return (
    <Alert
      live={false}
      title={say('Opslaan is niet gelukt', 'Saving failed')}
      actions={<Button small>{say('Probeer opnieuw', 'Try again')}</Button>}
    >
      {say('Er is niets gewijzigd.', 'Nothing has been changed.')}
    </Alert>
  );
}

function ToastsVariants({ say }: Example) {
  const failed = say('Opslaan is niet gelukt.', 'Saving failed.');
  const invoice = say('Er staat een nieuwe factuur voor je klaar.', 'A new invoice is waiting for you.');
  return (
    <Row>
      <Button onClick={() => showToast({ kind: 'alert', tone: 'bad', text: failed })}>{say('Mislukt', 'Failed')}</Button>
      <Button onClick={() => showToast({ kind: 'notice', tone: 'info', text: invoice, at: 'top' })}>
        {say('Bericht bovenaan', 'Message on top')}
      </Button>
    </Row>
  );
}

function BadgeVariants({ say }: Example) {
  return (
    <Row gap={8}>
      <Badge tone="tint" icon="invoice">
        {say('Jaarafrekening', 'Annual statement')}
      </Badge>
      <Badge tone="negative">{say('Geweigerd', 'Refused')}</Badge>
    </Row>
  );
}

function CardVariants({ say }: Example) {
  return (
    <Card title={say('Termijnbedrag', 'Monthly amount')} level={4} tone="tint">
      <Money cents={12_350} />
    </Card>
  );
}

function FactsVariants({ say }: Example) {
  const edit = <IconButton icon="edit" label={say('Wijzig telefoon', 'Change phone')} />;
  return (
    <Stack>
      <Facts items={[{ label: say('Telefoon', 'Phone'), value: '0612345678', action: edit }]} />
      <Facts stacked items={[{ label: say('Huidig e-mailadres', 'Current email address'), value: 'sanne@voorbeeld.nl' }]} />
    </Stack>
  );
}

function SheetVariants({ say }: Example) {
  const [shown, setShown] = useState<'change' | 'below'>();
  const close = () => setShown(undefined);
  return (
    <Row>
      <Button onClick={() => setShown('change')}>{say('Met een wijziging', 'With a change')}</Button>
      <Button onClick={() => setShown('below')}>{say('Van onderen', 'From below')}</Button>
      {shown === 'change' && <Change say={say} onClose={close} />}
      <Sheet title="Menu" from="bottom" isOpen={shown === 'below'} onClose={close}>
        <p>{say('Rijen van 56 px.', 'Rows of 56 px.')}</p>
      </Sheet>
    </Row>
  );
}

/** A form in a sheet that asks for confirmation before input is lost. */
function Change({ say, onClose }: Example & { onClose(): void }) {
  const fields = useFields({
    initial: { email: '' },
    check: ({ email }) => ({
      email: /^\S+@\S+$/.test(email) ? undefined : say('Vul een e-mailadres in.', 'Enter an email address.'),
    }),
  });
  return (
    <Sheet title={say('E-mailadres wijzigen', 'Change email address')} dirty={fields.dirty} onClose={onClose}>
      <Form {...fields.form(onClose)}>
        <TextField label={say('Nieuw e-mailadres', 'New email address')} type="email" {...fields.field('email')} />
        <SheetFooter>
          <SaveButton disabledReason={fields.disabledReason} />
          <Cancel say={say} />
        </SheetFooter>
      </Form>
    </Sheet>
  );
}

function Cancel({ say }: Example) {
  return (
    <Button variant="quiet" onClick={useSheetClose()}>
      {say('Annuleren', 'Cancel')}
    </Button>
  );
}

function SkeletonVariants() {
  return (
    <Stack>
      <Skeleton shape="number" />
      <Skeleton count={3} />
    </Stack>
  );
}

function TextFieldVariants({ say }: Example) {
  return (
    <Grid columns={2} min={240}>
      <TextField label={say('Verbruik', 'Usage')} optional value="2450" onChange={noop} inputMode="numeric" after="kWh" />
      <TextField
        label={say('E-mailadres', 'Email address')}
        value="sanne@"
        onChange={noop}
        error={say('Vul een geldig e-mailadres in.', 'Enter a valid email address.')}
      />
      <TextField
        label={say('Gebruikersnaam', 'Username')}
        value="sannedewit"
        onChange={noop}
        disabledReason={say('Je wijziging wordt al verwerkt.', 'Your change is being processed already.')}
      />
    </Grid>
  );
}

function SelectVariants({ say }: Example) {
  const choose = say('Kies een onderwerp', 'Choose a subject');
  return <Select label={say('Onderwerp', 'Subject')} value="" onChange={noop} empty={choose} options={[]} error={`${choose}.`} />;
}

function CheckboxVariants({ say }: Example) {
  return (
    <Stack>
      <Checkbox checked={false} onChange={noop} error={say('Geef toestemming.', 'Give your consent.')}>
        {say('Ik geef toestemming voor meetgegevens', 'I consent to the use of meter data')}
      </Checkbox>
      <Checkbox checked onChange={noop} disabledReason={say('Dit hoort bij je contract.', 'This is part of your contract.')}>
        {say('Papieren jaarafrekening', 'Annual statement on paper')}
      </Checkbox>
    </Stack>
  );
}

function RadioGroupVariants({ say }: Example) {
  const [way, setWay] = useState<string>('mail');
  return (
    <RadioGroup
      label={say('Hoe wil je bericht krijgen?', 'How do you want to be notified?')}
      variant="card"
      value={way}
      onChange={setWay}
      options={[
        { value: 'mail', text: say('Per e-mail', 'By email'), hint: say('Binnen 5 minuten', 'Within 5 minutes') },
        {
          value: 'sms',
          text: say('Per sms', 'By text message'),
          disabledReason: say('Vul eerst een nummer in.', 'Enter a number first.'),
        },
      ]}
    />
  );
}

function DateFieldVariants({ say }: Example) {
  const [day, setDay] = useState<string | null>('2026-11-22');
  return (
    <DateField
      label={say('Startdatum', 'Start date')}
      hint={say('Dag, maand en jaar, bijv. 20-11-2026', 'Day, month and year, e.g. 20-11-2026')}
      value={day}
      onChange={setDay}
      today="2026-11-20"
      min="2026-11-20"
      chips={[{ text: say('zo snel mogelijk: 22-11-2026', 'as soon as possible: 22-11-2026'), day: '2026-11-22' }]}
    />
  );
}

function SliderFieldVariants({ say }: Example) {
  const [cents, setCents] = useState<number | null>(22_000);
  const isAllowed = cents !== null && cents >= 9_200 && cents <= 21_450;
  return (
    <SliderField
      label={say('Termijnbedrag', 'Monthly amount')}
      money
      value={cents}
      onChange={setCents}
      min={9_200}
      max={21_450}
      marker={{ value: 12_780, text: say('Ons advies: € 127,80', 'Our advice: € 127,80') }}
      error={
        isAllowed ? undefined : say('Kies een bedrag van € 92 tot en met € 214,50.', 'Choose an amount from € 92 to € 214,50.')
      }
    />
  );
}

function DataTableVariants({ say }: Example) {
  const kind = { month: say('Termijnfactuur', 'Monthly invoice'), year: say('Jaarafrekening', 'Annual statement') };
  return (
    <Stack>
      <Card flush>
        <SubHeading end={<Money cents={3_938} />} level={4}>
          2026
        </SubHeading>
        <DataTable
          label={say('Facturen', 'Invoices')}
          rows={[
            { day: '2026-11-14', kind: kind.month, cents: 12_350, isPaid: false },
            { day: '2026-09-30', kind: kind.year, cents: -8_412, isPaid: true },
          ]}
          rowKey={(row) => row.day}
          tone={(row) => (row.kind === kind.year ? 'strong' : undefined)}
          columns={[
            { id: 'day', title: say('Datum', 'Date'), width: 112, card: 'hidden', cell: (row) => <CivilDate day={row.day} /> },
            { id: 'kind', title: say('Factuur', 'Invoice'), card: 'title', cell: (row) => row.kind },
            {
              id: 'status',
              title: 'Status',
              width: 120,
              cell: (row) => (
                <Badge tone={row.isPaid ? 'positive' : 'warning'}>{row.isPaid ? say('Betaald', 'Paid') : 'Open'}</Badge>
              ),
            },
            {
              id: 'amount',
              title: say('Bedrag', 'Amount'),
              align: 'end',
              width: 128,
              card: 'end',
              cell: (row) => <Money cents={row.cents} credit />,
            },
            {
              id: 'get',
              title: 'Download',
              quiet: true,
              width: 44,
              card: 'hidden',
              cell: (row) => <IconButton icon="download" label={`Download ${row.kind} ${row.day}`} />,
            },
          ]}
        />
      </Card>
      <DataTable label={say('Laden', 'Loading')} loading expect={2} rows={[]} rowKey={() => 0} columns={[]} />
      <DataTable
        label={say('Leeg', 'Empty')}
        rows={[]}
        rowKey={() => 0}
        columns={[]}
        empty={<EmptyState title={say('Nog geen facturen', 'No invoices yet')} />}
      />
    </Stack>
  );
}

const drawings = ['empty', 'error', 'sent', 'mill', 'house'] as const;
const roles =
  'header primary primary-hover primary-pressed primary-ink accent accent-2 page surface tint tint-strong text text-quiet line control-line positive positive-tint warning warning-tint negative negative-tint row-odd row-even chart-1 chart-2 chart-3 chart-4 chart-5 chart-6'.split(
    ' ',
  );

/** The label's colors, which the server computes and writes into the page, and the text sizes. */
function GlobalStyleVariants({ say }: Example) {
  return (
    <Stack gap={24}>
      <Grid columns={4} min={140} gap={12}>
        {roles.map((role) => (
          <Swatch key={role}>
            <i style={{ background: `var(--w-${role})` }} />
            {role}
          </Swatch>
        ))}
      </Grid>
      {[28, 20, 16, 14].map((size) => (
        <span key={size} style={{ fontSize: size, fontWeight: size > 16 ? 600 : undefined }}>
          {say('Jouw laatste facturen', 'Your latest invoices')}: {size} px
        </span>
      ))}
    </Stack>
  );
}

/** States that the examples do not show, by component. The gallery renders them below the example. */
export const variants: Readonly<Record<string, ComponentType<Example>>> = {
  Alert: AlertVariants,
  Badge: BadgeVariants,
  BarsByMonth: BarsByMonthVariants,
  Button: ButtonVariants,
  Card: CardVariants,
  ChartBox: lazy(() => import('./pie')),
  Checkbox: CheckboxVariants,
  DataTable: DataTableVariants,
  DateField: DateFieldVariants,
  ErrorState: () => <ErrorState onRetry={noop} />,
  Facts: FactsVariants,
  GlobalStyle: GlobalStyleVariants,
  Icon: () => (
    <Grid columns={4} min={120} gap={8}>
      {icons.map((name) => (
        <Row key={name} gap={8} wrap={false}>
          <Icon name={name} size={24} /> <Small>{name}</Small>
        </Row>
      ))}
    </Grid>
  ),
  IconButton: IconButtonVariants,
  Illustration: () => (
    <Row>
      {drawings.map((name) => (
        <Illustration key={name} name={name} />
      ))}
    </Row>
  ),
  Notice: NoticeVariants,
  PeriodChart: PeriodChartVariants,
  RadioGroup: RadioGroupVariants,
  SaveButton: () => <SaveButton busy />,
  Select: SelectVariants,
  Sheet: SheetVariants,
  Skeleton: SkeletonVariants,
  SliderField: SliderFieldVariants,
  TextField: TextFieldVariants,
  Toasts: ToastsVariants,
};

const Swatch = styled.div`
  display: flex; align-items: center; gap: 8px; font-size: 14px;
  i { width: 40px; height: 40px; flex: none; border-radius: var(--w-radius-control); box-shadow: inset 0 0 0 1px var(--w-line); }
`;
