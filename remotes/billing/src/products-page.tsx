import { Badge, Card, CivilDate, EmptyState, ErrorState, Page, TextLink } from '@wattle/ui';
import { type Column, DataTable } from '@wattle/ui/table';
import { FormattedMessage, useIntl } from 'react-intl';
import { account, api, type Product } from './api';
import { numberOf } from './product.rules';

/**
 * 2.1-products-route: the products, below the client number, which is the relation's debtor number (2.1-products-client-number).
 */
export default function ProductsPage() {
  const intl = useIntl();
  const products = api.useGet('/relations/products');
  const agreements = api.useGet('/agreements');
  const relation = account.useGet('/relations');
  const columns: Column<Product>[] = [
    {
      id: 'name',
      title: <FormattedMessage id="billing.product.name" defaultMessage="Product" />,
      card: 'title',
      cell: (p) => p.name,
    },
    {
      id: 'commodity',
      title: <FormattedMessage id="billing.product.kind" defaultMessage="Kind" />,
      card: 'end',
      cell: (p) =>
        p.commodity && (
          <Badge icon={p.commodity === 'GAS' ? 'gas' : 'meter'}>
            {p.commodity === 'GAS' ? (
              <FormattedMessage id="billing.gas" defaultMessage="Gas" />
            ) : (
              <FormattedMessage id="billing.electricity" defaultMessage="Electricity" />
            )}
          </Badge>
        ),
    },
    {
      id: 'start',
      title: <FormattedMessage id="billing.product.start" defaultMessage="From" />,
      width: 160,
      cell: (p) => <CivilDate day={p.start_date} />,
    },
    {
      id: 'end',
      title: <FormattedMessage id="billing.product.to" defaultMessage="Until" />,
      width: 160,
      cell: (p) =>
        p.end_date ? <CivilDate day={p.end_date} /> : <FormattedMessage id="billing.product.open" defaultMessage="no end date" />,
    },
    {
      id: 'agreement',
      title: <FormattedMessage id="billing.product.agreement" defaultMessage="Contract" />,
      cell: (p) => {
        const id = numberOf(p, agreements.data ?? []);
        return <TextLink href={`/agreements/${encodeURIComponent(id)}`}>{id}</TextLink>;
      },
    },
  ];
  return (
    <Page
      width="wide"
      title={<FormattedMessage id="billing.products.title" defaultMessage="Products" />}
      sentence={
        relation.data && (
          <FormattedMessage
            id="billing.products.client_number"
            defaultMessage="Customer number {number}"
            values={{ number: relation.data.debtor_number }}
          />
        )
      }
    >
      <Card flush>
        <DataTable
          label={intl.formatMessage({ id: 'billing.products.title', defaultMessage: 'Products' })}
          columns={columns}
          rows={products.data ?? []}
          rowKey={(p) => `${p.agreement_identifier} ${p.product_code} ${p.start_date}`}
          loading={products.isPending || agreements.isPending}
          {...(products.isError
            ? { error: <ErrorState onRetry={() => void products.refetch()} retrying={products.isFetching} /> }
            : {})}
          empty={
            <EmptyState title={<FormattedMessage id="billing.products.none" defaultMessage="There are no products yet" />}>
              <FormattedMessage
                id="billing.products.none_text"
                defaultMessage="What you buy from us appears here once your contract has started."
              />
            </EmptyState>
          }
        />
      </Card>
    </Page>
  );
}
