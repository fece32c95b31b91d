import { describe, expect } from 'vitest';
import { createPreview } from '#functions/previews/contracts.ts';
import { seededNumbers, seededWorkspaces } from '#local/seed.ts';
import { newId } from '#shared/base/ids.ts';
import { giveSecret, it, type Previews } from './preview-page.ts';

const flow = { version: '7.3', screens: [{ id: 'FIRST', title: 'The first screen', layout: {} }] };

let previews: Previews;
it.beforeAll(async ({ previews: shared }) => {
  previews = shared;
});
it.afterAll(() => previews.endFile());

const other = (secret: string) => (secret === '000000' ? '111111' : '000000');

const formPost = (url: string, secret: string) =>
  fetch(url, { method: 'POST', body: new URLSearchParams({ secret }), redirect: 'manual' });

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

  it('is skipped with the cookie of this preview while the preview is valid', async () => {
    const { url, secret } = await previews.newPreview(flow);
    const unlocked = await formPost(url, secret);
    const [cookie = ''] = unlocked.headers.getSetCookie();
    expect([unlocked.status, cookie]).toEqual([303, expect.stringMatching(/HttpOnly; SameSite=Strict$/)]);
    const bearing = { headers: { cookie: cookie.split(';')[0] ?? '' } };
    expect(await (await fetch(url, bearing)).text()).toContain('preview-data');
    const sibling = await previews.newPreview(flow);
    expect(await (await fetch(sibling.url, bearing)).text()).not.toContain('preview-data');
  });

  it('checks no more than ten secrets, even of many concurrent requests', async () => {
    const { url, secret } = await previews.newPreview(flow);
    const replies = await Promise.all(Array.from({ length: 25 }, () => formPost(url, other(secret))));
    const statuses = replies.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([...Array(10).fill(403), ...Array(15).fill(429)]);
    expect((await formPost(url, secret)).status).toBe(429);
    const page = await previews.visit(url);
    await page.getByRole('heading', { name: 'Preview locked' }).waitFor();
  });

  it('is the same page for an id that never existed and for an invalidated preview', async () => {
    const { service } = previews;
    const logged = service.world.logs.length;
    const workspace = seededWorkspaces[0]?.id ?? '';
    const { id: flow } = await service.draft(workspace);
    const make = (invalidate_previous: boolean) =>
      service.api.succeed(createPreview, {
        params: { workspace, flow },
        body: { number: seededNumbers[0]?.id, valid_until: 1, invalidate_previous },
      });
    const { url, secret } = await make(false);
    expect((await formPost(url, secret)).status).toBe(303);
    const after = await make(true);
    expect((await formPost(after.url, after.secret)).status).toBe(303);
    const unknown = url.replace(/[^/]+$/, newId());
    const replies = await Promise.all([fetch(unknown), formPost(unknown, secret), fetch(url), formPost(url, secret)]);
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect(new Set(await Promise.all(replies.map((reply) => reply.text()))).size).toBe(1);
    expect(service.world.logs.slice(logged).join('\n')).not.toContain(secret);
  });
});
