import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { getWebhook } from '#functions/webhooks/contracts.ts';
import { go, it, press, talking } from './console-page.ts';

it.afterAll(({ pages }) => pages.endFile());

const steps = [
  ['1. Receive notifications', 'Set the webhook'],
  ['2. Write to the number', 'Send a message'],
  ['3. Reply', 'Send a reply'],
] as const;

const step = (page: Page, title: string) => page.getByRole('listitem').filter({ hasText: title });

describe('the page Start', () => {
  it('takes the first three steps with its buttons, and the Inspector shows it all delivered', async ({ pages }) => {
    const page = await pages.open();
    for (const [title, button] of steps) {
      await press(page, button);
      await step(page, title).getByRole('status').getByRole('link').waitFor();
    }
    await step(page, '2. Write')
      .getByText(/^ ?Notified in \d+ ms\./)
      .waitFor();
    await page.getByRole('link', { name: 'See it' }).click();
    await page.getByRole('region', { name: 'Delivery', exact: true }).getByText('"body": "Hello!"').waitFor();
    await go(page, 'inspector');
    for (const subject of ['“Hello!”', 'delivered → “Hi! How can we help?”']) {
      const delivery = page.locator('.list').getByRole('link').filter({ hasText: subject });
      await delivery
        .filter({ has: page.getByText('delivered', { exact: true }) })
        .first()
        .waitFor();
    }
  });

  it('prints a curl for each step that does the same', async ({ pages }) => {
    const page = await pages.open();
    const inbox = async () => (await pages.service.simulate<{ data: unknown[] }>('inbox')).data.length;
    const messages = async () => (await pages.service.simulate<{ data: unknown[] }>('messages')).data.length;
    const before = [await inbox(), await messages()];
    for (const [title] of steps) {
      const terminal = page.getByRole('region', { name: 'The same in a terminal' });
      await terminal.getByLabel(title).check();
      const command = await terminal.locator('.command code').innerText();
      const { stdout } = await promisify(execFile)('sh', ['-c', `${command} --fail-with-body -w '%{http_code}'`]);
      expect([title, stdout.slice(-3)]).toEqual([title, '200']);
    }
    expect([await inbox(), await messages()]).toEqual(before.map((count) => count + 1));
  });
});

describe('the page Start, at its end', () => {
  it('points the number to a receiver of the newcomer, and back', async ({ pages }) => {
    const page = await pages.open();
    const url = () =>
      pages.service.api.succeed(getWebhook, { params: { number: talking.id } }).then(({ webhook }) => webhook);
    await page.getByLabel('Address of your receiver').fill('http://localhost:9/own');
    await page.locator('.command', { hasText: '{"webhook":"http://localhost:9/own"}' }).waitFor();
    await press(page, 'Notify it');
    await expect.poll(url).toBe('http://localhost:9/own');
    await press(page, 'Set the webhook');
    await expect.poll(url).toBe(`${pages.url}/receiver/${talking.id}/webhook`);
  });
});

describe('the links of every page', () => {
  it('lead somewhere', async ({ pages }) => {
    const page = await pages.open();
    const nav = await page.getByRole('navigation').getByRole('link').all();
    const pagePaths = await Promise.all(nav.map((link) => link.getAttribute('href')));
    expect(pagePaths.length).toBe(5);
    const checked = new Set<string>();
    for (const path of [...pagePaths, `#/phone/${talking.phone_number_id}/5511988887777`]) {
      await go(page, String(path).slice('#/'.length));
      for (const link of await page.getByRole('main').getByRole('link').all()) {
        const address = String(await link.getAttribute('href'));
        if (checked.has(address)) continue;
        checked.add(address);
        const [pageOfLink] = /^#\/[^/]*/.exec(address) ?? [];
        if (pageOfLink !== undefined) expect([path, pagePaths.includes(pageOfLink)]).toEqual([path, true]);
        else expect([address, (await fetch(new URL(address, pages.url))).status]).toEqual([address, 200]);
      }
    }
    expect(checked.size).toBeGreaterThan(6);
  });
});
