import type { Locator, Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { listDeliveries } from '#functions/deliveries/contracts.ts';
import { deleteWebhookTarget, updateWebhookTarget } from '#functions/webhooks/contracts.ts';
import { breaking, it, type Pages, press } from './console-page.ts';

it.afterAll(({ pages }) => pages.endFile());

/** A delivery in the list, by what it is about and its state. The newest one is the first. */
const deliveries = (page: Page, subject: string, state: string) =>
  page
    .locator('.list')
    .getByRole('link')
    .filter({ hasText: subject })
    .filter({ has: page.getByText(state, { exact: true }) });

/** The delivery that is shown beside the list. */
const shown = (page: Page): Locator => page.getByRole('region', { name: 'Delivery', exact: true });

/** Keeps in `moved` what moves on the page from now on, without anybody's doing. */
const watchMoves = `
  moved = [];
  new PerformanceObserver((list) => {
    for (const { sources } of list.getEntries()) moved.push(...sources.map(({ node }) => node?.textContent));
  }).observe({ type: 'layout-shift' });
`;

describe('the page Inspector', () => {
  const write = (page: Page, text: string) =>
    page.evaluate(
      async ([phone_number_id, body]) => {
        const events = [{ type: 'text', phone_number_id, contact: { wa_id: '5511900000001' }, text: { body } }];
        const headers = { 'content-type': 'application/json' };
        await fetch('/simulator/events', { method: 'POST', headers, body: JSON.stringify({ events }) });
      },
      [breaking.phone_number_id, text] as const,
    );

  const newestDelivery = async ({ service }: Pages) => {
    const { data } = await service.api.succeed(listDeliveries, { params: { number: breaking.id } });
    return data[0]?.id;
  };

  /** Points the webhook of the number to the built-in receiver, as a person does. */
  async function openInspector(open: (path: string) => Promise<Page>): Promise<Page> {
    const page = await open('inspector');
    await page.getByRole('button', { name: /^Webhooks: / }).click();
    await page.getByLabel(`${breaking.display_phone_number} webhook`, { exact: true }).check();
    // The service has it now.
    await page.locator(`label[title$="/receiver/${breaking.id}/webhook"]`).waitFor();
    await page.keyboard.press('Escape');
    return page;
  }

  const breaker = (page: Page) =>
    page
      .getByRole('list', { name: 'Breakers' })
      .getByRole('listitem')
      .filter({ hasText: breaking.display_phone_number });

  /** Lets the receiver behave otherwise, which it does from the response on. */
  async function should(page: Page, behaviour: string): Promise<void> {
    const isSet = page.waitForResponse((response) => new URL(response.url()).pathname === '/console/receiver');
    await page.getByLabel(behaviour, { exact: true }).check();
    await isSet;
  }

  it('shows why a delivery failed and when the next attempt is due, and replays it to the repaired receiver', async ({
    pages,
  }) => {
    const page = await openInspector(pages.open);
    await should(page, 'respond 500');
    const before = await newestDelivery(pages);
    await write(page, 'Nobody hears me');
    // Other files may have left deliveries that wait.
    await expect.poll(() => newestDelivery(pages)).not.toBe(before);
    await page.locator(`.list a[href="#/inspector/${await newestDelivery(pages)}"]`).click();
    const attempt = (number: number) =>
      shown(page)
        .locator('.attempts > li')
        .nth(number - 1);
    await attempt(1).getByText('the built-in receiver to respond 500').waitFor();
    await attempt(2).getByText('500', { exact: true }).waitFor();
    await shown(page).getByText('The next attempt is due at').waitFor();
    await shown(page).getByText('Nobody hears me').first().waitFor();
    await page.getByRole('region', { name: /\d failed, 1 due, breaker closed/ }).waitFor();

    await press(shown(page), 'Let the built-in receiver respond 200');
    await expect.poll(() => page.getByLabel('respond 200', { exact: true }).isChecked()).toBe(true);
    await press(shown(page), 'Replay');
    await attempt(3).getByText('replay', { exact: true }).waitFor();
    await shown(page)
      .getByRole('heading', { name: /^delivered / })
      .waitFor();
    await shown(page).getByText('signature is right', { exact: true }).first().waitFor();
  });

  it('says of a target with a name of its own where it points, in which format, and what it gets', async ({
    pages,
  }) => {
    const { api } = pages.service;
    const params = { number: breaking.id, target: 'crm' };
    // The built-in receiver responds to Meta's handshake.
    const url = `${pages.url}/receiver/${breaking.id}/crm`;
    const body = { format: 'meta', url, verify_token: 'let-me-in', events: ['messages'] } as const;
    await api.succeed(updateWebhookTarget, { params, body });
    const page = await pages.open('inspector');
    await page.getByRole('button', { name: /^Webhooks: / }).click();
    const target = page.getByRole('row').filter({ hasText: /^crm/ });
    for (const text of ["Meta's format", 'only messages', 'points here']) await target.getByText(text).waitFor();
    await page.keyboard.press('Escape');
    await write(page, 'In the envelope');
    const delivery = page.locator('.list').getByRole('link').filter({ hasText: '“In the envelope”' });
    await delivery.filter({ hasText: `${breaking.display_phone_number} crm` }).click();
    await shown(page).getByText("crm, in Meta's format").waitFor();
    await api.succeed(deleteWebhookTarget, { params });
  });

  it('moves nothing while a delivery is read and others come, which one click shows', async ({ pages }) => {
    const page = await openInspector(pages.open);
    await write(page, 'I am being read');
    const read = page.locator('.list').getByRole('link').filter({ hasText: '“I am being read”' });
    await read.first().click();
    await shown(page)
      .getByRole('heading', { name: /^delivered / })
      .waitFor();
    await page.evaluate(watchMoves);
    for (let i = 0; i < 5; i += 1) await write(page, `Others go on ${i}`);
    const news = page.getByRole('button', { name: /^Show \d+ new$/ });
    await expect.poll(() => news.textContent()).toBe('Show 5 new');
    expect(await page.evaluate('moved')).toEqual([]);
    await news.click();
    await deliveries(page, 'Others go on 4', 'delivered').waitFor();
    await news.waitFor({ state: 'detached' });
  });

  it('shows a breaker that opens after ten failures, and Resume delivers what was held', async ({ pages }) => {
    const page = await openInspector(pages.open);
    await should(page, 'respond 204, which counts as a failure');
    for (let i = 0; i < 12; i += 1) await write(page, `Message ${i}`);

    await breaker(page).getByText('breaker open').waitFor();
    await deliveries(page, 'Message 11', 'held').click();
    await shown(page).getByText('to respond 204. The circuit breaker of the target is open.').waitFor();
    await page.getByRole('region', { name: /breaker open/ }).waitFor();

    await should(page, 'respond 200');
    await press(breaker(page), 'Resume');
    await breaker(page).waitFor({ state: 'detached' });
    await page.getByLabel('The last five minutes as a table').click();
    for (const name of ['breaker opened', 'breaker closed', 'failed: 204']) {
      await page.getByRole('cell', { name, exact: true }).first().waitFor();
    }
    await expect.poll(() => deliveries(page, 'Message', 'held').count()).toBe(0);
    await shown(page)
      .getByRole('heading', { name: /^delivered / })
      .waitFor();
  });
});
