import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { findingsIn } from '../browser/reading.ts';
import { consolePages, go, it, type Pages, press, talking } from './console-page.ts';

it.afterAll(({ pages }) => pages.endFile());

const contact = '5511900000501';

/** Something of everything, on each page. */
it.beforeAll(async ({ pages }) => {
  const page = await pages.open();
  await press(page, 'Set the webhook');
  await press(page, 'Send a message');
  const chat = await pages.chat(contact);
  await chat.getByLabel('Message', { exact: true }).fill('Hello, see https://example.com/');
  await press(chat, 'Send');
  const action = { buttons: [{ type: 'reply', reply: { id: 'yes', title: 'Yes' } }] };
  const interactive = { type: 'button', body: { text: 'Well?' }, action };
  await pages.send({ to: contact, type: 'interactive', interactive });
  await press(chat, 'Yes');
  const cards = ['One', 'Two'].map((text, card_index) => ({
    card_index,
    type: 'cta_url',
    header: { type: 'image', image: { link: 'https://example.com/room.jpg' } },
    body: { text },
    action: { name: 'cta_url', parameters: { display_text: 'See it', url: 'https://example.com/' } },
  }));
  const carousel = { type: 'carousel', body: { text: 'Rooms' }, action: { cards } };
  const sections = [{ title: 'Soups', rows: [{ id: '1', title: 'Tomato', description: 'With basil' }] }];
  const list = { type: 'list', body: { text: 'What?' }, action: { button: 'Menu', sections } };
  await pages.send({ to: contact, type: 'interactive', interactive: carousel });
  await pages.send({ to: contact, type: 'interactive', interactive: list });
  await chat.getByLabel('Attach').click();
  await press(chat, 'Location');
  await press(chat, 'Call');
  await press(chat, 'Hang up');
});

/** The pages, with what to open on them. */
const views: Readonly<Record<string, (page: Page, pages: Pages) => Promise<unknown>>> = {
  start: (page) => page.getByLabel('2. Write to the number').check(),
  phone: (page) => page.getByRole('link', { name: talking.display_phone_number }).first().waitFor(),
  menu: async (page) => {
    await page.goto(`${new URL(page.url()).origin}/#/phone/${talking.phone_number_id}/${contact}`);
    await page.getByLabel('Reply, react or mark: ').last().click();
    await page.getByText('Let it fail …').click();
  },
  list: async (page) => {
    await page.goto(`${new URL(page.url()).origin}/#/phone/${talking.phone_number_id}/${contact}`);
    await press(page, 'Menu');
    await page.getByLabel('Tomato').check();
  },
  chat: async (page) => {
    await page.goto(`${new URL(page.url()).origin}/#/phone/${talking.phone_number_id}/${contact}`);
    await page.getByText('Timeline').click();
    await page.locator('.timeline').locator('.findings, .no-findings').first().waitFor();
    await page.getByLabel('Attach').click();
  },
  inspector: async (page) => {
    await page.locator('.list').getByRole('link').filter({ hasText: 'delivered' }).first().click();
    await page.getByText('signature is right').first().waitFor();
    await page.getByRole('button', { name: /^Webhooks: / }).click();
  },
  platform: async (page) => {
    await page.locator('.requests summary').first().click();
    await page.getByRole('button', { name: 'Make them fail' }).hover();
  },
};

it.for(Object.keys(views))('axe finds nothing on the page %s', async (name, { pages }) => {
  const path = name === 'start' ? '' : ['chat', 'menu', 'list'].includes(name) ? 'phone' : name;
  const page = await pages.open(path);
  await views[name]?.(page, pages);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await findingsIn(page, 'html')).toEqual([]);
  }
});

it('the lists of the Inspector scroll, and the page does not', async ({ pages }) => {
  const height = 400;
  const page = await pages.open('inspector', { viewport: { width: 1280, height } });
  await page.locator('.list').getByRole('link').nth(8).waitFor({ state: 'attached' });
  expect(await page.evaluate('document.documentElement.scrollHeight')).toBe(height);
});

it('no page is wider than the screen of a phone', async ({ pages }) => {
  const width = 360;
  const page = await pages.open('', { viewport: { width, height: 800 } });
  for (const name of [...Object.keys(consolePages), `phone/${talking.phone_number_id}/${contact}`]) {
    await go(page, name);
    expect([name, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([name, width]);
  }
});
