import { addDays } from '@wattle/charts';
import { Disclosure, formatDay, formatEnergy, formatMoney, formatNumber, formatTariff } from '@wattle/ui';
import { type Column, DataTable } from '@wattle/ui/table';
import { FormattedMessage, type IntlShape, useIntl } from 'react-intl';
import styled from 'styled-components';
import type { Commodity, CostRow } from './api';
import { energyUnit } from './connection.rules';
import { exactPrice, needsDays, timeOf, timeText } from './cost.rules';
import { centsOf } from './money';
import { commodityName, priceName } from './texts';

interface CostRowsProps {
  rows: readonly CostRow[];
  /** The total of the rows in euros. */
  total: number;
  estimated: boolean;
  commodity: Commodity;
  /** The amount that the rows explain. */
  label: string;
}

/**
 * The rows of a cost, initially closed: description, quantity, price, amount; and the total, which is their sum
 * (9-usage-euro-headline).
 */
export function CostRows({ rows, total, estimated, commodity, label }: CostRowsProps) {
  const intl = useIntl();
  const columns: Column<CostRow | null>[] = [
    {
      id: 'what',
      title: <FormattedMessage id="usage.cost.what" defaultMessage="What" />,
      head: true,
      cell: (row) =>
        row === null ? (
          <FormattedMessage id="usage.cost.total" defaultMessage="Total" />
        ) : (
          <>
            {row.netted ? (
              <FormattedMessage
                id="usage.cost.netted"
                defaultMessage="Net metering: {what}"
                values={{ what: priceName(intl, row.kind, commodity).toLowerCase() }}
              />
            ) : (
              priceName(intl, row.kind, commodity)
            )}
            {needsDays(row, rows) && (
              <Small>
                <FormattedMessage
                  id="usage.from_until"
                  defaultMessage="{since} to {until}"
                  values={{ since: formatDay(row.from), until: formatDay(addDays(row.to, -1)) }}
                />
              </Small>
            )}
            <Phone>
              {quantityText(intl, row, commodity)} × {pricePer(intl, row, exactPrice(row.price))}
            </Phone>
          </>
        ),
    },
    {
      id: 'quantity',
      title: <FormattedMessage id="usage.cost.quantity" defaultMessage="How much" />,
      align: 'end',
      cell: (row) => row && quantityText(intl, row, commodity),
    },
    {
      id: 'price',
      title: <FormattedMessage id="usage.cost.price" defaultMessage="Price" />,
      align: 'end',
      cell: (row) => row && <PriceText row={row} />,
    },
    {
      id: 'amount',
      title: <FormattedMessage id="usage.cost.amount" defaultMessage="Amount" />,
      align: 'end',
      cell: (row) => formatMoney(centsOf(row ? row.amount : total)),
    },
  ];
  return (
    <Disclosure
      level={4}
      title={
        <FormattedMessage
          id="usage.cost.rows"
          defaultMessage="{what}: how this {estimated, select, true {estimate} other {amount}} adds up"
          values={{ what: commodityName(intl, commodity), estimated: String(estimated) }}
        />
      }
    >
      <Columns>
        <DataTable
          dense
          label={intl.formatMessage(
            { id: 'usage.cost.rows_of', defaultMessage: 'What this consists of: {what}' },
            { what: label },
          )}
          columns={columns}
          rows={[...rows, null]}
          rowKey={(row) => (row ? `${row.kind} ${row.netted} ${row.from} ${row.price} ${row.amount}` : '')}
          tone={(row) => (row ? undefined : 'strong')}
        />
      </Columns>
      <Note>
        <FormattedMessage
          id="usage.cost.note"
          defaultMessage="Calculated from your measurements{estimated, select, true {, estimates} other {}} and the prices in your contract, including VAT. Quantities are rounded here, not in the calculation. What you pay is on your invoice."
          values={{ estimated: String(estimated) }}
        />
        {rows.some((row) => row.netted) && (
          <>
            {' '}
            <FormattedMessage
              id="usage.cost.netted_note"
              defaultMessage="What you fed in during this period is subtracted from what you used."
            />
          </>
        )}
      </Note>
    </Disclosure>
  );
}

/** The quantity: kWh or m³, or a time from which the amount can be recalculated: `10 months + 19 of 30 days`. */
function quantityText(intl: IntlShape, row: CostRow, commodity: Commodity): string {
  const { unit, quantity } = row;
  if (unit === 'kWh' || unit === 'm3') return formatEnergy(quantity, energyUnit(commodity), 'cost');
  const time = (number: number) =>
    intl.formatMessage(
      {
        id: 'usage.cost.time',
        defaultMessage:
          '{number} {unit, select, day {{plural, select, one {day} other {days}}} month {{plural, select, one {month} other {months}}} other {{plural, select, one {year} other {years}}}}',
      },
      { number: timeText(number), unit, plural: number === 1 ? 'one' : 'other' },
    );
  const exact = timeOf(row);
  if (!exact) return time(quantity);
  const parts = exact.parts.map(({ days, of }) =>
    intl.formatMessage(
      { id: 'usage.cost.days_of', defaultMessage: '{days} of {of} days' },
      { days: formatNumber(days), of: formatNumber(of) },
    ),
  );
  return [...(exact.whole > 0 ? [time(exact.whole)] : []), ...parts].join(' + ');
}

/** Adds the unit to a price per time: `€ 6,99 per month`. */
const pricePer = (intl: IntlShape, { unit }: CostRow, price: string): string =>
  unit === 'kWh' || unit === 'm3'
    ? price
    : intl.formatMessage(
        { id: 'usage.cost.per', defaultMessage: '{price} per {unit, select, day {day} month {month} other {year}}' },
        { price, unit },
      );

/** A price with two decimals, and the exact price if it has more. */
function PriceText({ row }: { row: CostRow }) {
  const intl = useIntl();
  const [short, exact] = [formatTariff(row.price), exactPrice(row.price)];
  return (
    <>
      {pricePer(intl, row, short)}
      {exact !== short && (
        <Small>
          <FormattedMessage id="usage.cost.exact" defaultMessage="exactly {price}" values={{ price: exact }} />
        </Small>
      )}
    </>
  );
}

/** On a phone, quantity and price are below the name, because four columns are wider than the screen. */
const Columns = styled.div`
  margin: 0 calc(-1 * var(--w-pad)); border-block: 1px solid var(--w-line);
  th[scope='row'] { font-weight: inherit; }
  th:first-child, td:first-child { padding-left: var(--w-pad); } th:last-child, td:last-child { padding-right: var(--w-pad); }
  @media (max-width: 767px) { th:nth-child(2), th:nth-child(3), td:nth-child(2), td:nth-child(3) { display: none; } }
`;
const Small = styled.small`display: block; font-size: 14px; font-weight: 400; color: var(--w-text-quiet);`;
const Phone = styled(Small)`@media (min-width: 768px) { display: none; }`;
const Note = styled.p`margin-top: 8px; font-size: 14px; color: var(--w-text-quiet);`;
