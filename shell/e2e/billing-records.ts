import type { CustomerSpec, DemoRecord } from './harness';

const home = {
  address_type: 'SHIPPING',
  street: 'Molenweg',
  house_number: '12',
  house_number_extension: 'A',
  zip_code: '9861GT',
  city: 'Grootegast',
  connections: [
    { ean_code: '{{ean 1}}', commodity: 'ELECTRICITY' },
    { ean_code: '{{ean 2}}', commodity: 'GAS' },
  ],
};

export const running = '{{id}}-2';
export const ended = '{{id}}-1';

const agreement = (id: string, more: Record<string, unknown>): DemoRecord => ({
  kind: 'agreement',
  data: {
    debtor_number: '{{debtor}}',
    agreement_id: `${id}-uuid`,
    agreement_identifier: '{{id}}',
    agreement_identifier_with_sequence: id,
    company_name: '',
    product_category: 'ENERGY',
    addresses: [home],
    tariff_sheets: [],
    price_agreements: [],
    products: [],
    ...more,
  },
});

const invoice = (id: string, of: string, more: Record<string, unknown>): DemoRecord => ({
  kind: 'invoice',
  data: {
    debtor_number: '{{debtor}}',
    agreement_identifier_with_sequence: of,
    invoice_id: `${id}-{{id}}`,
    invoice_type: 'PERIODICAL',
    amount: '125.00',
    balance: '0.00',
    payment_status: 'PAID',
    ...more,
  },
});

/** Monthly invoices of an agreement, due from month `from` to `to`, relative to the current month. */
const monthly = (of: string, from: number, to: number, amount: string): DemoRecord[] =>
  Array.from({ length: to - from + 1 }, (_, i) => {
    const month = from + i;
    return invoice(`M${-month}`, of, {
      amount,
      issue_date: `{{month ${month}}}`,
      due_date: `{{month ${month} 13}}`,
      period_start_date: `{{month ${month}}}`,
      period_end_date: `{{month ${month + 1} -1}}`,
      ...(month >= 0 ? { payment_status: 'OPEN', balance: amount } : {}),
      file: 'invoices/{{id}}.pdf',
    });
  });

/** A household with two agreements, one of them ended, and all kinds of invoices over three years. */
export const household: CustomerSpec = {
  files: ['invoices/{{id}}.pdf', 'sheets/{{id}}.pdf'],
  records: [
    agreement(ended, {
      name: 'Modelcontract variabel',
      status: 'TERMINATED',
      period: { from: '{{month -40}}', to: '{{month -19 -1}}' },
    }),
    agreement(running, {
      name: 'Zeker groen vast 3 jaar voor huishoudens met een elektrische auto',
      status: 'ACTIVE',
      period: { from: '{{month -19}}', to: '' },
      tariff_sheets: [
        { retrieval_id: 'S1-{{id}}', send_date: '{{day -400}}', file: 'sheets/{{id}}.pdf' },
        { retrieval_id: 'S2-{{id}}', send_date: '{{day -40}}', file: 'sheets/gone.pdf' },
      ],
      periodical: {
        current_amount: '125.00',
        proposed_amount: '140.00',
        min_amount: '90.00',
        max_amount: '185.50',
        payment_method: 'DIRECT_DEBIT_CONSUMER',
        next_collection: '{{day 8}}',
        items: [
          { category: 'ELECTRICITY', description: 'Stroom', amount: '71.40' },
          { category: 'GAS', description: 'Gas', amount: '88.10' },
          { category: 'TAX', description: 'Vermindering energiebelasting', amount: '-34.50' },
        ],
        year_end: { expected_cost: '1680.00', paid: '875.00', settles_on: '{{month 5}}' },
      },
      price_agreements: [
        {
          description: 'Stroom normaal',
          commodity: 'ELECTRICITY',
          unit: 'kWh',
          amount: '0.28941',
          from: '{{month -19}}',
          to: '',
        },
        { description: 'Stroom dal', commodity: 'ELECTRICITY', unit: 'kWh', amount: '0.26', from: '{{month -19}}', to: '' },
        { description: 'Gas', commodity: 'GAS', unit: 'm³', amount: '1.24310', from: '{{month -19}}', to: '' },
        { description: 'Vaste leveringskosten', unit: 'month', amount: '6.99', from: '{{month -19}}', to: '{{month 16 -1}}' },
      ],
      products: [
        { product_code: 'ST3', name: 'Stroom vast 3 jaar', commodity: 'ELECTRICITY', start_date: '{{month -19}}', end_date: '' },
        {
          product_code: 'GA3',
          name: 'Gas vast 3 jaar',
          commodity: 'GAS',
          start_date: '{{month -19}}',
          end_date: '{{month 16 -1}}',
        },
      ],
    }),
    ...monthly(ended, -26, -20, '118.00'),
    ...monthly(running, -18, 0, '125.00'),
    invoice('F', ended, {
      invoice_type: 'FINAL',
      amount: '-212.35',
      payment_status: 'REFUND',
      issue_date: '{{month -18}}',
      due_date: '{{month -18 20}}',
      period_start_date: '{{month -30}}',
      period_end_date: '{{month -19 -1}}',
      file: 'invoices/{{id}}.pdf',
    }),
    invoice('A', running, {
      invoice_type: 'ANNUAL',
      amount: '86.20',
      balance: '40.00',
      payment_status: 'OUTSTANDING',
      issue_date: '{{month -7}}',
      due_date: '{{month -7 20}}',
      period_start_date: '{{month -19}}',
      period_end_date: '{{month -7 -1}}',
      file: 'invoices/gone.pdf',
    }),
    invoice('D', running, {
      invoice_type: 'DISCOUNT',
      amount: '-50.00',
      payment_status: 'SETTLED',
      issue_date: '{{month -10}}',
      due_date: '{{month -10 9}}',
      settlement: {
        receivable: { invoice_reference: 'M10-{{id}}', amount_value: '125.00', invoice_type: 'PERIODICAL' },
        payables: [{ invoice_reference: 'D-{{id}}', amount_value: '-50.00', invoice_type: 'DISCOUNT' }],
        rest_amount: '75.00',
        payment_reference: 'V-{{id}}',
      },
    }),
  ],
};
