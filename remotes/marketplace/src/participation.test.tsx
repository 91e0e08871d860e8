import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useLocation } from '@wattle/sdk';
import { type FakePortalProps, file, refuse } from '@wattle/sdk/testing';
import { row } from '@wattle/sdk/vitest';
import { beforeEach, describe, expect, test } from 'vitest';
import ParticipationPage from './participation-page';
import { beach, impersonated, memberApi, participation, project, show } from './testing';

let phone = false;
beforeEach(() => {
  phone = false;
  window.matchMedia = ((query: string) => ({
    matches: phone && query === '(max-width: 767px)',
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  })) as unknown as typeof matchMedia;
});

const own = [
  project('WND-WJ', {
    participations: [
      participation('P-1'),
      participation('P-2', { address: beach, share: 1, offered_share: 0, availableShares: 1 }),
    ],
  }),
  project('ZON', {
    project_name: 'Zonneveld',
    project_type: 'SOLAR',
    place: 'Dronten',
    report: false,
    participations: [participation('P-3')],
  }),
];
function Here() {
  const { pathname, search } = useLocation();
  return <output aria-label="where">{pathname + search}</output>;
}
const open = (more: Partial<FakePortalProps> = {}) =>
  show(
    <>
      <ParticipationPage />
      <Here />
    </>,
    { at: '/participation', ...more },
  );
const parts = async () => {
  await screen.findAllByRole('heading', { name: 'Molenweg 12 A, Grootegast' });
  return screen.getAllByRole('region', { name: /, Grootegast$/ });
};
/** The card of each project. */
const cards = () => screen.getAllByRole('region', { name: /Westermeer$|Dronten$/ });
const unfold = async (card: HTMLElement | undefined) =>
  userEvent.click(within(card as HTMLElement).getByRole('button', { name: 'Details and documents' }));

row('9-participation-privacy', 'one line leads to the privacy statement of the label, if it has one', async () => {
  memberApi({ 'GET /sustainable/projects': own });
  const label = { key: '1024', name: 'Polderwiek' };
  for (const [privacyUrl, links] of [
    ['/pages/privacy', 1],
    [undefined, 0],
  ] as const) {
    const view = open({ portal: { label: { ...label, ...(privacyUrl && { privacyUrl }) } as never } });
    await parts();
    const all = screen.queryAllByRole('link', { name: 'privacy statement' });
    expect(all).toHaveLength(links);
    for (const link of all) expect(link).toHaveAttribute('href', privacyUrl);
    view.unmount();
  }
});

row(
  ['2.1-participation-route', '3-participation-available'],
  'shows each participation with its address, shares and days, by project',
  async () => {
    memberApi({ 'GET /sustainable/projects': own });
    open();
    const [first, second] = await parts();
    expect(screen.getAllByRole('heading', { level: 2 }).map((h) => h.textContent)).toEqual([
      'Windpark WesterwindWestermeer',
      'ZonneveldDronten',
    ]);
    expect(first).toHaveTextContent('24 shares, you can sell 204 on offerFor your address Molenweg 12 A, Grootegast');
    expect(second).toHaveTextContent('1 share, you can sell 1For your address Strandweg 1, Grootegast');
    const [card] = cards();
    expect(card).toHaveTextContent(/Molenweg.*Available20Supplier ?Stroomgilde.*Strandweg.*Available1Supplier/);
    expect(card).toHaveTextContent(/Supplied since01-01-2024/);
    expect((await parts()).map((p) => p.getAttribute('aria-label'))).toEqual([
      'Molenweg 12 A, Grootegast',
      'Strandweg 1, Grootegast',
      'Molenweg 12 A, Grootegast',
    ]);
    expect(cards()[1]).toHaveTextContent('24 shares, you can sell 20');
  },
);

/** A slot with two widgets, filled as by other modules; the weather is shown per project only. */
const slot: NonNullable<FakePortalProps['slot']> = ({ props, frame }) => {
  const { project: code, participation: id } = props as { project: string; participation?: string };
  const names = id ? [`Production of ${id}`] : [`Production of ${code}`, `Weather of ${code}`];
  return names.map((title) => (
    <div key={title}>
      {frame?.({
        id: title,
        module: 'm',
        size: 'third',
        children: `${title} now`,
        ...(!title.startsWith('Weather') && { title }),
      })}
    </div>
  ));
};

describe('widgets', () => {
  row('2.5-participation-widgets', 'widgets per project and per participation, including the weather', async () => {
    memberApi({ 'GET /sustainable/projects': own });
    open({ slot });
    await parts();
    expect(screen.getAllByText(/now$/).map((t) => t.textContent)).toEqual([
      'Production of WND-WJ now',
      'Weather of WND-WJ now',
      'Production of P-1 now',
      'Production of P-2 now',
      'Production of ZON now',
      'Weather of ZON now',
      'Production of P-3 now',
    ]);
  });

  row(
    '9-participation-order',
    'yield, weather, the shares and their actions; then behind a disclosure report, history and facts',
    async () => {
      memberApi({ 'GET /sustainable/projects': own });
      open({ slot });
      const places = await parts();
      const [card, other] = cards() as [HTMLElement, HTMLElement];
      expect(cards()).toHaveLength(own.length); // one card per project
      const headings = within(card).getAllByRole('heading', { level: 3 });
      expect(
        headings.map((h) => h.textContent),
        '9-participation-order: no empty heading',
      ).not.toContain('');
      for (const place of places.slice(0, 2)) expect(card).toContainElement(place);
      expect(card.querySelector('img, svg[viewBox]')).not.toBeNull();
      const behind = [
        ...within(card).getAllByText('Annual report'),
        ...within(card).getAllByText('History'),
        ...within(card).getAllByText('Available'),
        within(card).getByText('Production of P-1 now'),
      ];
      for (const one of behind) expect(one).not.toBeVisible();
      for (const name of ['Sell', 'Transfer', 'Move']) expect(within(card).getAllByRole('button', { name })).toHaveLength(1);
      expect(within(card).getAllByRole('button', { name: 'Details and documents' }), 'one disclosure').toHaveLength(1);
      await unfold(card);
      for (const one of behind) expect(one).toBeVisible();
      const order = [
        within(card).getByText('Production of WND-WJ now'),
        within(card).getByText('Weather of WND-WJ now'),
        within(card).getByText('24 shares, you can sell 20'),
        within(card).getAllByRole('heading', { name: 'Molenweg 12 A, Grootegast' })[0],
        within(card).getAllByRole('button', { name: 'Move' })[0],
        within(card).getByRole('button', { name: 'Annual report' }),
        within(card).getAllByRole('button', { name: 'History' })[0],
        within(card).getAllByText('Available')[0],
        within(card).getByText('Production of P-1 now'),
      ];
      for (const [at, one] of order.slice(1).entries())
        expect(order[at]?.compareDocumentPosition(one as HTMLElement)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
      await unfold(other);
      expect(within(other).getByRole('button', { name: 'History' })).toBeVisible();
      expect(within(other).queryByRole('button', { name: 'Annual report' })).toBeNull();
    },
  );

  row('2.5-participation-responsive', 'disclosures on a phone, cards on wider screens', async () => {
    memberApi({ 'GET /sustainable/projects': own });
    const desktop = open({ slot });
    await parts();
    expect(screen.queryByRole('button', { name: /^Windpark Westerwind/ })).toBeNull();
    expect(cards()).toHaveLength(2);
    desktop.unmount();
    phone = true;
    open({ slot });
    const panel = await screen.findByRole('button', { name: /^Windpark Westerwind/ });
    expect(cards).toThrow();
    expect(panel).toHaveAttribute('aria-expanded', 'true');
    expect(screen.getByText('Weather of WND-WJ now')).toBeVisible();
    await userEvent.click(panel);
    expect(panel).toHaveAttribute('aria-expanded', 'false');
    expect(screen.getByText('Weather of WND-WJ now')).not.toBeVisible();
  });

  row('9-participation-closed', 'on a phone only the first project is open; the others say their shares and yield', async () => {
    phone = true;
    for (const [year_production, line] of [
      [2331.4, 'Zonneveld24 shares, 2.331\u00a0kWh this year'],
      [3.456, 'Zonneveld24 shares, 3,46\u00a0kWh this year'],
      [null, 'Zonneveld24 shares'],
    ] as const) {
      memberApi({
        'GET /sustainable/projects': own,
        'GET /sustainable/yields': [{ project_code: 'ZON', year_production }],
      });
      const page = open({ slot });
      expect(await screen.findByRole('button', { name: /^Windpark Westerwind/ })).toHaveAttribute('aria-expanded', 'true');
      const closed = screen.getByRole('button', { name: /^Zonneveld/, expanded: false });
      await waitFor(() => expect(closed.textContent, '9-participation-closed').toBe(line));
      expect(screen.getByText('Weather of ZON now')).not.toBeVisible();
      await userEvent.click(closed);
      expect(screen.getByRole('button', { name: /^Zonneveld ?Dronten/, expanded: true })).toBeVisible();
      expect(screen.getByText('Weather of ZON now')).toBeVisible();
      page.unmount();
    }
  });
});

const yields = [
  { project_code: 'WND-WJ', year_production: 2331.4, year_value: 177.18 },
  { project_code: 'ZON', year_production: 872.6, year_value: 66.34 },
];

row('9-participation-sum', 'first all projects together: the shares, what they made this year, and its worth', async () => {
  for (const [locale, made, says] of [
    ['en', yields, ['Shares49', 'Made this year3.204 kWh', 'Worth€ 243,52']],
    ['nl', yields, ['Delen49', 'Dit jaar opgewekt3.204 kWh', 'Goed voor€ 243,52']],
    ['en', [yields[0], { ...yields[1], year_value: null }], ['Shares49', 'Made this year3.204 kWh']],
    [
      'en',
      [yields[0], { ...yields[1], year_production: null, year_value: null }],
      ['Shares49', 'Made this year2.331 kWh', 'Worth€ 177,18'],
    ],
    ['en', refuse(404, 'module_not_enabled'), ['Shares49']],
  ] as const) {
    memberApi({ 'GET /sustainable/projects': own, 'GET /sustainable/yields': made });
    const page = open({ locale });
    await parts();
    const sums = document.querySelector('dl') as HTMLElement;
    const lines = () => [...sums.children].map((line) => line.textContent?.replaceAll('\u00a0', ' '));
    await waitFor(() => expect(lines(), '9-participation-sum').toEqual(says));
    expect(sums.compareDocumentPosition(cards()[0] as HTMLElement)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    page.unmount();
  }
  memberApi({ 'GET /sustainable/projects': own.slice(0, 1), 'GET /sustainable/yields': yields });
  open();
  await parts();
  expect(screen.queryByText('Made this year'), 'of one project its card says it').toBeNull();
});

row('9-participation-parts', 'what cannot be sold is said by its reason, each with its own number', async () => {
  const numbers = { share: 120, offered_share: 34, reserved_share: 4, sold_share: 18, moving_share: 5, availableShares: 86 };
  for (const [locale, more, says] of [
    [
      'en',
      numbers,
      '120 shares, you can sell 8112 on offer · 4 ordered, not paid yet · 18 sold, not transferred yet · 5 are going to move',
    ],
    [
      'nl',
      numbers,
      '120 delen, je kunt er 81 verkopen12 aangeboden · 4 besteld, nog niet betaald · 18 verkocht, nog over te dragen · 5 gaan verhuizen',
    ],
    [
      'nl',
      { ...numbers, reserved_share: 16, moving_share: 1 },
      '120 delen, je kunt er 85 verkopen16 besteld, nog niet betaald · 18 verkocht, nog over te dragen · 1 gaat verhuizen',
    ],
    [
      'en',
      { ...numbers, offered_share: 0, reserved_share: 0, sold_share: 0, moving_share: 0, availableShares: 120 },
      '120 shares, you can sell 120',
    ],
  ] as const) {
    memberApi({ 'GET /sustainable/projects': [project('WND-WJ', { participations: [participation('P-1', more)] })] });
    const page = open({ locale });
    const [place] = await parts();
    expect(place?.textContent, '9-participation-parts').toBe(
      `${says}${locale === 'en' ? 'For your' : 'Voor je'} ${locale === 'en' ? 'address' : 'adres'} Molenweg 12 A, Grootegast`,
    );
    page.unmount();
  }
});

row('9-participation-actions', 'at the end of each project what can be done with it, the most used first', async () => {
  for (const wide of [true, false]) {
    phone = !wide;
    memberApi({ 'GET /sustainable/projects': own });
    const page = open();
    await parts();
    const sell = screen.getAllByRole('button', { name: 'Sell' })[0] as HTMLElement;
    const rowOf = sell.parentElement?.parentElement as HTMLElement;
    const buttons = [...rowOf.querySelectorAll('button, a')];
    expect(
      buttons.map((e) => e.textContent),
      '9-participation-actions',
    ).toEqual(['Sell', 'Transfer', 'Move']);
    const css = [...document.querySelectorAll('style')].map((s) => s.textContent).join('');
    const rules = (e: Element, rule: RegExp) =>
      [...e.classList].some((name) => new RegExp(`\\.${name} ?\\{[^}]*${rule.source}`).test(css));
    expect(
      buttons.map((e) => rules(e, /background: ?var\(--w-primary\)/)),
      '9-participation-actions',
    ).toEqual([true, false, false]);
    expect(
      buttons.map((e) => rules(e, /border-color: ?var\(--w-control-line\)/)),
      '9-participation-actions',
    ).toEqual([false, true, false]);
    const place = screen.getAllByRole('region', { name: 'Strandweg 1, Grootegast' })[0] as HTMLElement;
    const details = screen.getAllByRole('button', { name: 'Details and documents' })[0] as HTMLElement;
    expect(place.compareDocumentPosition(rowOf)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    expect(rowOf.compareDocumentPosition(details)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    const onPhone = [...rowOf.classList].map(
      (name) => new RegExp(`@media \\(max-width: ?767px\\) ?\\{\\.${name}\\{([^}]*)\\}`).exec(css)?.[1],
    );
    expect(onPhone.join(''), '9-participation-actions: two columns on a phone').toMatch(
      /display: ?grid; ?grid-template-columns: ?1fr 1fr;/,
    );
    page.unmount();
  }
});

describe('the actions', () => {
  const at = async (place: number) => {
    await parts();
    return within(cards()[place] as HTMLElement);
  };
  row('9-participation-actions', 'the forms preselect the shares if they are at one address', async () => {
    memberApi({ 'GET /sustainable/projects': own });
    for (const [place, name, path] of [
      [1, 'Sell', '/participation/create-offer?participation=P-3'],
      [1, 'Transfer', '/participation/create-offer?kind=transfer&participation=P-3'],
      [1, 'Move', '/participation/move-shares?participation=P-3'],
      [0, 'Sell', '/participation/create-offer'],
      [0, 'Transfer', '/participation/create-offer?kind=transfer'],
      [0, 'Move', '/participation/move-shares'],
    ] as const) {
      const page = open();
      await userEvent.click((await at(place)).getByRole('button', { name }));
      await waitFor(() => expect(screen.getByRole('status', { name: 'where' }).textContent).toBe(path));
      page.unmount();
    }
  });

  test('disabled when the project does not allow it, without free shares, and during impersonation', async () => {
    const closed = project('WND-WJ', {
      member_offer_settings: [{ from_date: '2020-01-01', min_price: 1, max_price: 2, allow_selling: false }],
    });
    const none = project('WND-WJ', { participations: [participation('P-1', { availableShares: 3, moving_share: 3 })] });
    for (const [projects, props, why] of [
      [[closed], {}, 'Not possible in this project now'],
      [[none], {}, 'No shares available'],
      [own, impersonated, 'You are only viewing this portal, so you cannot change anything.'],
    ] as const) {
      memberApi({ 'GET /sustainable/projects': projects });
      const page = open(props);
      const card = await at(0);
      for (const name of ['Sell', 'Transfer', 'Move'])
        expect(card.getByRole('button', { name })).toHaveAccessibleDescription(why);
      page.unmount();
    }
  });

  row('2.1-project-report', 'a project with a report links to it, one without does not', async () => {
    const api = memberApi({
      'GET /sustainable/projects': own,
      'GET /sustainable/projects/{code}/report': file('WND-WJ.pdf', '%PDF'),
    });
    open();
    await parts();
    for (const card of cards()) await unfold(card);
    await userEvent.click(screen.getByRole('button', { name: 'Annual report' })); // there is only one, because ZON has none
    await waitFor(() => expect(api.saved).toEqual([{ name: 'WND-WJ.pdf', file: expect.anything() }]));
    expect(api.calls.at(-1)?.path).toBe('/sustainable/projects/WND-WJ/report');
  });

  test('the history of a participation and the report of a project are files', async () => {
    const api = memberApi({
      'GET /sustainable/projects': own,
      'GET /sustainable/participations/{id}/receipt': file('P-1.pdf', '%PDF'),
      'GET /sustainable/projects/{code}/report': refuse(404, 'not_found'),
    });
    open();
    await parts();
    await unfold(cards()[0]);
    await userEvent.click(screen.getAllByRole('button', { name: 'History' })[0] as HTMLElement);
    await waitFor(() => expect(api.saved).toEqual([{ name: 'P-1.pdf', file: expect.anything() }]));
    await userEvent.click(screen.getByRole('button', { name: 'Annual report' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Something unexpected happened.');
  });
});

row('8-projects-failed', 'without projects, and after a failed list, there is a link to the offers', async () => {
  const failures = [refuse(500, 'unavailable'), refuse(404, 'not_found'), refuse(403, 'forbidden')];
  for (const projects of [[], [project('X', { participations: [] })], ...failures]) {
    memberApi({ 'GET /sustainable/projects': projects });
    const page = open();
    expect(await screen.findByText('You do not take part in a project yet')).toBeVisible();
    expect(screen.getByRole('link', { name: 'See the offers' })).toHaveAttribute('href', '/offers');
    page.unmount();
  }
});
