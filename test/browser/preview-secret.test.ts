import { describe, expect } from 'vitest';
import { giveSecret, it, type Previews } from './preview-page.ts';
import { findingsIn } from './reading.ts';

const flow = { version: '7.3', screens: [{ id: 'FIRST', title: 'The first screen', layout: {} }] };

let previews: Previews;
it.beforeAll(async ({ previews: shared }) => {
  previews = shared;
});
it.afterAll(() => previews.endFile());

const other = (secret: string) => (secret === '000000' ? '111111' : '000000');

describe('the form for the secret', () => {
  it('leads to the Flow, which stays unlocked in this browser only', async () => {
    const { url, secret } = await previews.newPreview(flow);
    const page = await previews.visit(url);
    await giveSecret(page, secret);
    await page.getByRole('heading', { name: 'The first screen', level: 1 }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'The first screen', level: 1 }).waitFor();
    expect(page.url()).toBe(url);
    const elsewhere = await previews.visit(url);
    await elsewhere.getByLabel('Six-digit code').waitFor();
    expect(page.requested.filter((address) => address.includes(secret))).toEqual([]);
    expect([...page.troubles, ...elsewhere.troubles]).toEqual([]);
  });

  it('works without JavaScript, and reports errors', async () => {
    const { url, secret } = await previews.newPreview(flow);
    const page = await previews.visit(url, { javaScriptEnabled: false });
    await giveSecret(page, other(secret));
    await page.getByRole('alert').waitFor();
    await giveSecret(page, secret);
    expect(await page.content()).toContain('The preview needs JavaScript.');
  });

  it.each(['light', 'dark'] as const)(
    'has no findings of axe, and neither have the errors: %s',
    async (colorScheme) => {
      const { id, url, secret } = await previews.newPreview(flow);
      const page = await previews.visit(url, { colorScheme });
      expect(await findingsIn(page, 'body')).toEqual([]);
      await giveSecret(page, other(secret));
      await page.getByRole('alert').waitFor();
      expect(await findingsIn(page, 'body')).toEqual([]);
      await page.goto(url.replace(id, '00000000-0000-4000-8000-000000000000'));
      await page.getByRole('heading', { name: 'Preview not found' }).waitFor();
      expect(await findingsIn(page, 'body')).toEqual([]);
    },
  );
});
