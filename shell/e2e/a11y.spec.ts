import { expect, phone, test } from './harness';

// Every screen that the manifests know, by axe: a label, a language and a width here; all of them in `make a11y` (A11Y=all).
const all = process.env.A11Y === 'all';
const hosts = all ? ['1000', '1008', '1021', '1024', '1025', '1042', '1058', '1060', '1071', '1086', '1095'] : ['1042'];
const widths = all ? [{ width: 1280, height: 800 }, { width: 900, height: 800 }, phone] : [phone];

for (const label of hosts)
  for (const locale of all ? ['nl', 'en'] : ['en'])
    for (const size of widths)
      test(`@axe ${label} ${locale} ${size.width}`, async ({ at, page }) => {
        test.setTimeout(120_000);
        const portal = at(`${label}.localhost`);
        await page.setViewportSize(size);
        await page.addInitScript((l) => localStorage.setItem('wattle:locale', l), locale);
        await portal.open('/');
        await portal.accessible();
        await portal.signIn();
        const answer = await page.request.get(`http://127.0.0.1:${portal.server.port}/api/v0/portal`, {
          headers: { Host: portal.host },
        });
        const { remotes } = (await answer.json()) as {
          remotes: {
            manifest: {
              routes: { path: string; access?: string }[];
              overlays: { name: string; parent: string; params?: string[] }[];
            };
          }[];
        };
        const paths = remotes.flatMap(({ manifest: m }) => [
          ...m.routes.filter((r) => !r.path.includes(':') && (r.access ?? 'customer') === 'customer').map((r) => r.path),
          ...m.overlays.filter((o) => !o.params?.length).map((o) => `${o.parent}/${o.name}`),
        ]);
        for (const path of ['/dashboard', '/notfound', ...paths.filter((p) => p !== '/fixture-never')]) {
          await portal.open(path);
          await expect(page.getByRole('alert'), path).toHaveCount(
            path === '/dashboard' ? await page.getByRole('alert').count() : 0,
          );
          await portal.accessible();
        }
      });
