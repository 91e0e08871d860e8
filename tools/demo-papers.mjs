// Generates the demo's sample documents in the style of each label that has agreements in its demo: a term amount invoice, an
// annual statement, a tariff sheet and the annual report of each project that has one. `node tools/demo-papers.mjs [label…]` writes
// labels/<key>/demo/files; with ONLY=reports it writes only the reports. The PDFs are committed. All use a single weight of Open
// Sans, because every weight of a variable font adds 20 KB to a PDF.
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { chromium as browserType } from '@playwright/test';
import { chromium, serve } from './server.mjs';
import { root } from './workspace.mjs';

const wanted = process.argv.slice(2);
const keys = globSync('labels/*/demo/agreement.ndjson', { cwd: root })
  .map((file) => file.split(path.sep)[1])
  .filter((key) => !wanted.length || wanted.includes(key))
  .sort();

const euro = (cents) => new Intl.NumberFormat('nl-NL', { style: 'currency', currency: 'EUR' }).format(cents / 100);
const price = (euros) => `€ ${euros.toLocaleString('nl-NL', { minimumFractionDigits: 5 })}`;
const lines = (list) => list.map(([what, cents]) => `<tr><td>${what}<td class=n>${euro(cents)}`).join('');
const sum = (list) => list.reduce((all, [, cents]) => all + cents, 0);

const term = [
  ['Levering stroom', 5421],
  ['Levering gas', 6899],
  ['Netbeheer stroom en gas', 6121],
  ['Energiebelasting en btw', 5500],
  ['Vermindering energiebelasting', -5241],
];
const year = [
  ['Levering stroom: 2.946 kWh', 79634],
  ['Levering gas: 1.238 m³', 161412],
  ['Netbeheer stroom en gas', 73452],
  ['Energiebelasting en btw', 27066],
  ['Vermindering energiebelasting', -62896],
  ['Betaald: twaalf termijnen van € 220,30', -264360],
];
const tariffs = [
  ['Stroom, normaaltarief', 'per kWh', 0.28114],
  ['Stroom, daltarief', 'per kWh', 0.25962],
  ['Terugleververgoeding', 'per kWh', 0.0725],
  ['Terugleverkosten', 'per kWh', 0.0615],
  ['Gas', 'per m³', 1.31745],
  ['Vaste leveringskosten stroom', 'per maand', 6.99],
  ['Vaste leveringskosten gas', 'per maand', 6.99],
  ['Netbeheer stroom, 3x25A', 'per maand', 39.48],
  ['Netbeheer gas, G4', 'per maand', 21.73],
];
const papers = {
  'invoices/termijnfactuur.pdf': {
    title: 'Termijnfactuur',
    lead: 'Dit is je maandelijkse bedrag voor stroom en gas. Eén keer per jaar rekenen we af met wat je echt hebt verbruikt.',
    body: `<table><tr><th>Omschrijving<th class=n>Bedrag${lines(term)}<tr class=total><td>Te betalen<td class=n>${euro(sum(term))}</table>
      <p>We schrijven het bedrag op de eerste van de maand af van je rekening. Je hoeft niets te doen.</p>`,
  },
  'invoices/jaarafrekening.pdf': {
    title: 'Jaarafrekening',
    lead: 'Zo veel stroom en gas heb je in een jaar verbruikt, en dit had je al betaald.',
    body: `<table><tr><th>Omschrijving<th class=n>Bedrag${lines(year)}<tr class=total><td>Bij te betalen<td class=n>${euro(sum(year))}</table>
      <h2>Je verbruik per maand</h2>${bars([310, 276, 275, 248, 232, 204, 200, 147, 216, 255, 276, 307])}
      <p>Betaal binnen veertien dagen. Lukt dat niet in één keer? Bel ons, dan spreken we iets af.</p>`,
  },
  'tariffs/tarievenblad.pdf': {
    title: 'Tarievenblad',
    lead: 'De tarieven van je contract, inclusief energiebelasting en btw.',
    body: `<table><tr><th>Tarief<th>Eenheid<th class=n>Prijs${tariffs.map(([what, unit, p]) => `<tr><td>${what}<td>${unit}<td class=n>${price(p)}`).join('')}</table>
      <p>De overheid geeft elk jaar een vermindering op de energiebelasting: € 628,96 per aansluiting voor stroom.</p>`,
  },
};

/** Returns the annual reports of a label's projects. */
function reports(key) {
  const file = path.join(root, 'labels', key, 'demo/project.ndjson');
  if (!existsSync(file)) return {};
  const projects = readFileSync(file, 'utf8').trim().split('\n').map(JSON.parse);
  return Object.fromEntries(projects.filter((p) => p.report).map((p) => [`reports/${p.project_code}.pdf`, report(p)]));
}

function report({ project_name: name, project_type: type, place }) {
  const months =
    type === 'WIND'
      ? [352, 318, 290, 214, 176, 142, 128, 151, 196, 268, 312, 348]
      : [74, 118, 226, 301, 352, 356, 349, 298, 231, 148, 82, 58];
  const yearly = months.reduce((all, n) => all + n, 0);
  const accounts = [
    ['Opbrengst van stroom', yearly * 7850],
    ['Garanties van oorsprong', yearly * 410],
    ['Onderhoud en beheer', yearly * -1920],
    ['Grond en netaansluiting', yearly * -880],
    ['Rente en aflossing', yearly * -2730],
  ];
  return {
    title: `Jaarverslag ${name}`,
    lead: `Zo deed ${name} in ${place} het afgelopen jaar: ${yearly.toLocaleString('nl-NL')} MWh, genoeg voor ${Math.round(yearly / 2.6).toLocaleString('nl-NL')} huishoudens.`,
    body: `<h2>Opbrengst per maand, in MWh</h2>${bars(months)}
      <h2>Wat er binnenkwam en uitging</h2><table><tr><th>Post<th class=n>Bedrag${lines(accounts)}<tr class=total><td>Over voor de deelnemers<td class=n>${euro(sum(accounts))}</table>
      <p>De ledenvergadering stelt de uitkering per deel vast. Die staat in de uitnodiging.</p>`,
  };
}

function bars(values) {
  const months = 'jan feb mrt apr mei jun jul aug sep okt nov dec'.split(' ');
  return `<svg viewBox="0 0 600 120" role=img aria-label="Staafdiagram">${values
    .map(
      (v, i) =>
        `<rect x="${i * 50 + 6}" y="${96 - v / 3.6}" width="36" height="${v / 3.6}" rx="4" fill="var(--primary)"/><text x="${i * 50 + 24}" y="114" text-anchor="middle" font-size="11">${months[i]}</text>`,
    )
    .join('')}</svg>`;
}

const font = readFileSync(path.join(root, 'shell/ui/src/fonts/open-sans-latin.woff2')).toString('base64');

const page = (
  { title, lead, body },
  { label, logo, style },
) => `<!doctype html><html lang=nl><meta charset=utf-8><title>${title}</title><style>
  @page{size:A4;margin:0} @font-face{font-family:own;src:url(data:font/woff2;base64,${font});font-weight:400}
  *{margin:0;box-sizing:border-box} body{--primary:${style.primary};--accent:${style.accent};font:14px/1.5 own,sans-serif;color:#23272a;padding:56px 64px;width:794px;height:1122px;position:relative}
  header{display:flex;justify-content:space-between;align-items:center;border-bottom:4px solid var(--primary);padding-bottom:20px} header svg{height:44px;width:auto}
  address{font-style:normal;margin:36px 0;line-height:1.45} h1,h2{font-weight:400} h1{font-size:32px;line-height:1.2;color:var(--primary);margin-bottom:6px} h2{font-size:19px;margin:26px 0 8px}
  .lead{font-size:16px;margin-bottom:22px;max-width:540px} table{width:100%;border-collapse:collapse;margin-bottom:20px} th{text-align:left;color:#5a6166;font-weight:400}
  th,td{padding:8px 10px;border-bottom:1px solid #dfe3e5} tr:nth-child(odd) td{background:#f6f8f7} .n{text-align:right;font-variant-numeric:tabular-nums} tr.total td{background:var(--primary);color:${style.on};border:0}
  .sample{color:#5a6166;border:1px solid #b9c0c4;border-radius:20px;padding:3px 12px;font-size:12px}
  footer{position:absolute;left:64px;right:64px;bottom:44px;border-top:1px solid #dfe3e5;padding-top:12px;font-size:12px;color:#5a6166;display:flex;justify-content:space-between}
  </style><header>${logo}<span class=sample>Voorbeeld</span></header><address>Familie De Vries<br>Voorbeeldstraat 12<br>1234 AB Voorbeeldstad</address>
  <h1>${title}</h1><p class=lead>${lead}</p>${body}<footer><span>${label.name}</span><span>${label.phone}</span><span>${label.email}</span></footer>`;

const server = await serve();
const browser = await browserType.launch(chromium);
try {
  for (const key of keys) {
    const folder = path.join(root, 'labels', key);
    const cue = readFileSync(path.join(folder, 'label.cue'), 'utf8');
    const set = (name, otherwise) => new RegExp(`${name}:\\s*"([^"]+)"`).exec(cue)?.[1] ?? otherwise;
    const primary = set('primary_color', '#333333');
    const style = { primary, accent: set('secondary_color', primary), on: set('primary_color_text_color', '#ffffff') };
    const logo = readFileSync(path.join(folder, 'assets', set('logo', 'logo.svg')), 'utf8');
    const { body: portal } = await server.call(`${key}.localhost`, 'GET', '/portal');
    const sheet = await browser.newPage();
    for (const [name, paper] of Object.entries({ ...papers, ...reports(key) })) {
      if (process.env.ONLY && !name.startsWith(`${process.env.ONLY}/`)) continue;
      await sheet.setContent(page(paper, { label: portal.label, logo, style }));
      await sheet.evaluate(() => document.fonts.ready);
      const pdf = await sheet.pdf({ width: '794px', height: '1123px', printBackground: true });
      const at = path.join(folder, 'demo/files', name);
      if (!existsSync(path.dirname(at))) mkdirSync(path.dirname(at), { recursive: true });
      writeFileSync(at, pdf);
      console.log(`${path.relative(root, at)} ${(pdf.length / 1024).toFixed(0)} KB`);
    }
    await sheet.close();
  }
} finally {
  await browser.close();
  await server.stop();
}
