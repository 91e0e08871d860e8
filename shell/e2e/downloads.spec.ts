import { readFile } from 'node:fs/promises';
import { expect, rows, test } from './harness';

test(
  rows(['7-file-downloads'], 'a file and a streamed ZIP are saved under the name in the response'),
  async ({ portal, page }) => {
    const customer = await portal.signIn(await portal.customer({ files: ['invoices/{{id}}.pdf'] }));
    await portal.open('/fixture');
    const name = page.locator('label input');
    const press = (button: string) => page.getByRole('button', { name: button, exact: true }).click();

    await name.fill(`invoices/${customer.id}.pdf`);
    const [file] = await Promise.all([page.waitForEvent('download'), press('file')]);
    expect(file.suggestedFilename()).toBe('Factuur € 1.pdf');
    expect((await readFile(await file.path())).subarray(0, 5).toString()).toBe('%PDF-');

    // The browser itself fetches this one, with a URL that works once and contains no token.
    const [zip] = await Promise.all([page.waitForEvent('download'), press('archive')]);
    expect(zip.suggestedFilename()).toMatch(/^Archief van .+\.zip$/);
    expect((await readFile(await zip.path())).subarray(0, 2).toString()).toBe('PK');
    expect(zip.url()).toMatch(/\/api\/v0\/downloads\/[\w-]{43}$/);
    expect(await page.evaluate(async (again) => (await fetch(again)).status, zip.url())).toBe(410);
    await expect(page).toHaveURL(portal.url('/fixture'));

    await name.fill('invoices/nowhere.pdf');
    await press('file');
    await expect(page.getByTestId('file-problem')).toHaveText('file_not_found');
  },
);
