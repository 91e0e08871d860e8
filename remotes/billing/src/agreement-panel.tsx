import { Slot } from '@wattle/sdk';
import {
  Badge,
  CivilDate,
  type Fact,
  Facts,
  formatDay,
  formatEan,
  IconButton,
  LinkButton,
  Money,
  Row,
  Small,
  Stack,
} from '@wattle/ui';
import { type Column, DataTable } from '@wattle/ui/table';
import { Fragment, type ReactNode } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import styled from 'styled-components';
import { type Agreement, placesOf, streetLine, townLine } from './agreement.rules';
import { FileProblem, useFile } from './download';
import { cents } from './money';
import { exactPrice, price, pricesUntil } from './price.rules';
import { PaymentMethod } from './texts';

export function AgreementPanel({ agreement: a }: { agreement: Agreement }) {
  const id = a.agreement_identifier_with_sequence;
  return (
    <Stack gap={32}>
      <Facts items={useFacts(a)} />
      <Part title={<FormattedMessage id="billing.agreement.addresses" defaultMessage="Where we deliver" />}>
        <Places agreement={a} />
      </Part>
      {a.price_agreements.length > 0 && (
        <Part title={<FormattedMessage id="billing.agreement.prices" defaultMessage="Agreed prices" />}>
          <Prices agreement={a} />
        </Part>
      )}
      <Part title={<FormattedMessage id="billing.agreement.sheets" defaultMessage="Tariff sheets" />}>
        {a.tariff_sheets.length > 0 ? (
          <Sheets>
            {[...a.tariff_sheets]
              .sort((x, y) => y.send_date.localeCompare(x.send_date))
              .map((s) => (
                <Sheet key={s.retrieval_id} sheet={s} />
              ))}
          </Sheets>
        ) : (
          <Quiet>
            <FormattedMessage id="billing.agreement.no_sheets" defaultMessage="There are no tariff sheets for this contract." />
          </Quiet>
        )}
      </Part>
      <Slot name="agreement" props={{ agreement: id }} />
      <Row gap={12}>
        <LinkButton href="/invoices" icon="invoice" small>
          <FormattedMessage id="billing.agreement.to_invoices" defaultMessage="View invoices" />
        </LinkButton>
        {a.periodical_payment && (
          <LinkButton href="/periodical-payments" icon="savings" small>
            <FormattedMessage id="billing.agreement.to_periodical" defaultMessage="View monthly amount" />
          </LinkButton>
        )}
      </Row>
    </Stack>
  );
}

function useFacts(a: Agreement): Fact[] {
  const intl = useIntl();
  const facts: Fact[] = [
    {
      label: <FormattedMessage id="billing.agreement.number" defaultMessage="Contract number" />,
      value: a.agreement_identifier_with_sequence,
    },
    {
      label: <FormattedMessage id="billing.agreement.period" defaultMessage="Term" />,
      value: a.period.to ? (
        intl.formatMessage(
          { id: 'billing.from_to', defaultMessage: '{from} to {to}' },
          { from: formatDay(a.period.from), to: formatDay(a.period.to) },
        )
      ) : (
        <FormattedMessage
          id="billing.agreement.since"
          defaultMessage="From {from}, without an end date"
          values={{ from: formatDay(a.period.from) }}
        />
      ),
    },
  ];
  // 3-agreement-company-name
  if (a.company_name)
    facts.push({ label: <FormattedMessage id="billing.agreement.company" defaultMessage="Supplier" />, value: a.company_name });
  const payment = a.periodical_payment;
  if (payment)
    facts.push(
      {
        label: <FormattedMessage id="billing.agreement.amount" defaultMessage="Monthly amount" />,
        value: <Money cents={cents(payment.details.current_amount)} />,
      },
      {
        label: <FormattedMessage id="billing.agreement.method" defaultMessage="Payment method" />,
        value: <PaymentMethod method={payment.payment_method} />,
      },
    );
  return facts;
}

function Places({ agreement }: { agreement: Agreement }) {
  return (
    <PlaceList>
      {placesOf(agreement).map((a) => (
        <li key={`${streetLine(a)} ${a.zip_code}`}>
          <strong>{streetLine(a)}</strong>
          <div>{townLine(a)}</div>
          {a.connections.map((c) => (
            <Fragment key={c.ean_code}>
              <Connection>
                <Badge icon={c.commodity === 'GAS' ? 'gas' : 'meter'}>
                  {c.commodity === 'GAS' ? (
                    <FormattedMessage id="billing.gas" defaultMessage="Gas" />
                  ) : (
                    <FormattedMessage id="billing.electricity" defaultMessage="Electricity" />
                  )}
                </Badge>
                <span>
                  <FormattedMessage id="billing.ean" defaultMessage="EAN {code}" values={{ code: formatEan(c.ean_code) }} />
                </span>
              </Connection>
              <Slot name="connection" props={{ ean: c.ean_code }} />
            </Fragment>
          ))}
        </li>
      ))}
    </PlaceList>
  );
}

type Price = Agreement['price_agreements'][number];

function Prices({ agreement }: { agreement: Agreement }) {
  const intl = useIntl();
  const columns: Column<Price>[] = [
    {
      id: 'what',
      title: <FormattedMessage id="billing.price.what" defaultMessage="What for" />,
      card: 'title',
      cell: (p) => p.description,
    },
    {
      id: 'period',
      title: <FormattedMessage id="billing.price.period" defaultMessage="Valid" />,
      cell: (p) =>
        p.to ? (
          <FormattedMessage
            id="billing.from_to"
            defaultMessage="{from} to {to}"
            values={{ from: formatDay(p.from), to: formatDay(p.to) }}
          />
        ) : (
          <FormattedMessage id="billing.price.since" defaultMessage="from {from}" values={{ from: formatDay(p.from) }} />
        ),
    },
    {
      id: 'amount',
      title: <FormattedMessage id="billing.price.amount" defaultMessage="Price" />,
      align: 'end',
      card: 'end',
      cell: (p) => <PriceOf price={p} />,
    },
  ];
  const until = pricesUntil(agreement);
  return (
    <Stack gap={12}>
      {until && agreement.current && (
        <Quiet>
          <FormattedMessage
            id="billing.prices.until"
            defaultMessage="These prices apply up to and including {day}. Your contract goes on after that, at new prices."
            values={{ day: <CivilDate day={until} /> }}
          />
        </Quiet>
      )}
      <Framed>
        <DataTable
          label={intl.formatMessage({ id: 'billing.agreement.prices', defaultMessage: 'Agreed prices' })}
          columns={columns}
          rows={agreement.price_agreements}
          rowKey={(p) => `${p.description} ${p.commodity} ${p.from}`}
        />
      </Framed>
    </Stack>
  );
}

function PriceOf({ price: p }: { price: Price }) {
  const exact = exactPrice(p.amount);
  return (
    <>
      <FormattedMessage
        id="billing.price.per"
        defaultMessage="{price} per {unit, select, day {day} month {month} year {year} other {{other}}}"
        values={{ price: price(p.amount), unit: p.unit, other: p.unit }}
      />
      {exact && (
        <Small>
          <FormattedMessage id="billing.price.exact" defaultMessage="exactly {price}" values={{ price: exact }} />
        </Small>
      )}
    </>
  );
}

/** A tariff sheet to download, with its date (2.1-agreements-tariff-sheets). */
function Sheet({ sheet }: { sheet: Agreement['tariff_sheets'][number] }) {
  const intl = useIntl();
  const file = useFile(sheet.tariff_sheet_link);
  return (
    <li>
      <div>
        <div>
          <FormattedMessage
            id="billing.sheet.of"
            defaultMessage="Tariff sheet of {day}"
            values={{ day: <CivilDate day={sheet.send_date} /> }}
          />
        </div>
        <FileProblem file={file} />
      </div>
      {sheet.tariff_sheet_link && (
        <IconButton
          icon="download"
          aria-busy={file.busy || undefined}
          onClick={file.save}
          label={intl.formatMessage(
            { id: 'billing.sheet.download', defaultMessage: 'Download tariff sheet of {day}' },
            { day: formatDay(sheet.send_date) },
          )}
        />
      )}
    </li>
  );
}

function Part({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <Stack gap={12}>
      <Heading>{title}</Heading>
      {children}
    </Stack>
  );
}

const Heading = styled.h3`font-size: 16px;`;
const Quiet = styled.p`color: var(--w-text-quiet);`;
const Framed = styled.div`
  border: 1px solid var(--w-line); border-radius: var(--w-radius-control); overflow: clip;
  @media (max-width: 767px) { border: 0; border-radius: 0; }
`;
const PlaceList = styled.ul`
  list-style: none; display: grid; gap: 16px; grid-template-columns: repeat(auto-fill, minmax(min(100%, 300px), 1fr));
  > li { padding: 16px; border: 1px solid var(--w-line); border-radius: var(--w-radius-control); } strong { font-weight: 600; }
`;
const Connection = styled.div`
  display: flex; flex-wrap: wrap; align-items: center; gap: 4px 12px; margin-top: 8px;
  > span:last-child { font-size: 14px; color: var(--w-text-quiet); font-variant-numeric: tabular-nums; }
  @media (max-width: 767px) { flex-direction: column; align-items: flex-start; gap: 2px; }
`;
const Sheets = styled.ul`
  list-style: none; border: 1px solid var(--w-line); border-radius: var(--w-radius-control);
  > li { display: flex; align-items: center; justify-content: space-between; gap: 12px; min-height: 56px; padding: 4px 6px 4px 16px; }
  > li + li { border-top: 1px solid var(--w-line); }
`;
