import type { Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { expect } from 'vitest';
import { contract as updateWebhook } from '#functions/webhooks/update-webhook/contract.ts';
import { createSecret } from '#shared/domain/signing/webhook-signature.ts';
import { type Receiver, startReceiver } from '../../support/http/receiver.ts';
import { breaking, it, screenshot, talking } from './console-page.ts';

let receiver: Receiver;
/** Nobody listens there any more. */
let closed: string;

it.beforeAll(async () => {
  receiver = await startReceiver();
  const gone = await startReceiver();
  closed = gone.url;
  await gone.close();
});
it.afterAll(async ({ pages }) => {
  for (const { id } of [breaking, talking]) await point(pages, id, { webhook: null, secondary_webhook: null });
  await pages.endFile();
  await receiver.close();
});

type Pages = Parameters<Parameters<typeof it.afterAll>[0]>[0]['pages'];

const point = (pages: Pages, number: string, body: Record<string, string | null>) =>
  pages.service.api.succeed(updateWebhook, { params: { number }, body });

/** The reason in the list of deliveries, with nothing opened. */
const reason = (page: Page, target: string, words: string) =>
  page.locator('.list').getByRole('link').filter({ hasText: target }).filter({ hasText: words }).first();

it('the list of deliveries says why each one failed, and what to do, without opening anything', async ({ pages }) => {
  receiver.script('/fails', [{ status: 500, body: 'Out of memory' }]);
  receiver.script('/hangs', ['hang']);
  receiver.script('/moved', [{ status: 302, headers: { location: 'https://example.com/' } }]);
  // A receiver that still checks the secret from before the rotation.
  const old = new Webhook(createSecret());
  receiver.script('/rotated', ({ body, headers }) => {
    try {
      old.verify(body.toString(), headers as Record<string, string>);
      return {};
    } catch {
      return { status: 401 };
    }
  });
  const { url } = receiver;
  const page = await pages.open('inspector');
  const write = ({ phone_number_id }: typeof breaking) =>
    pages.service.simulate('events', 'POST', { events: [{ type: 'text', phone_number_id }] });

  const tls = url.replace('http:', 'https:');
  await point(pages, breaking.id, { webhook: `${url}/fails`, secondary_webhook: `${url}/hangs` });
  await point(pages, talking.id, { webhook: closed, secondary_webhook: tls });
  await Promise.all([write(breaking), write(talking)]);
  await reason(
    page,
    breaking.display_phone_number,
    'The receiver returned 500 instead of 200. Its own log says why.',
  ).waitFor();
  await reason(page, talking.display_phone_number, 'The connection was refused: no server is listening').waitFor();
  await reason(page, talking.display_phone_number, 'Check that the certificate is valid').waitFor();
  await reason(page, breaking.display_phone_number, 'There was no response in time. Return 200 first').waitFor();

  await point(pages, breaking.id, { webhook: `${url}/moved`, secondary_webhook: `${url}/rotated` });
  await write(breaking);
  await reason(page, breaking.display_phone_number, 'a redirect').waitFor();
  await reason(page, breaking.display_phone_number, 'Check that its signing secret is the current one.').waitFor();
  await screenshot(page, 'failures');

  await reason(page, breaking.display_phone_number, 'The receiver returned 500').click();
  const detail = page.getByRole('region', { name: 'Delivery', exact: true });
  await detail.getByRole('region', { name: 'Response of the receiver' }).getByText('Out of memory').first().waitFor();
  await detail.getByText('the log keeps the body, the time, the status').waitFor();
  expect(await detail.getByRole('region', { name: 'Body of the notification' }).textContent()).toContain('"messages"');

  await point(pages, breaking.id, { webhook: `${url}/repaired`, secondary_webhook: `${url}/repaired` });
  await page.locator('.list select').first().selectOption({ label: breaking.display_phone_number });
  const replayAll = page.getByRole('button', { name: 'Replay all that failed' });
  await page.route('**/replay', (route) => route.fulfill({ status: 409, json: { message: 'Not this one.' } }), {
    times: 1,
  });
  await replayAll.click();
  await page
    .getByRole('alert')
    .getByText(/^1 of \d+ were not replayed\. Not this one\.$/)
    .waitFor();
  await replayAll.click();
  await replayAll.waitFor({ state: 'detached' });
  await detail.getByText('replay', { exact: true }).first().waitFor();
});

it('the built-in receiver shows what belongs to no delivery', async ({ pages }) => {
  const page = await pages.open('inspector');
  await fetch(`${pages.url}/receiver/${breaking.id}/webhook`, { method: 'POST', body: '{"hello":"unsigned"}' });
  await page.getByText('1 received without a delivery').click();
  await page.getByText('not signed', { exact: true }).click();
  await page.getByText('the service did not send it').waitFor();
});

it('the Inspector says that it does not have a delivery', async ({ pages }) => {
  const page = await pages.open('inspector/unknown');
  await page.getByText('This delivery is not among those that the console shows.').waitFor();
});

it('the built-in receiver shows a behaviour that a program has set, and a rejection of another one', async ({
  pages,
}) => {
  const page = await pages.open('inspector');
  const set = (behaviour: object) =>
    fetch(`${pages.url}/console/receiver`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(behaviour),
    });
  await set({ responds: true, status: 503, delay_ms: 20 });
  const own = page.getByLabel('respond 503 after 20 ms', { exact: true });
  await expect.poll(() => own.count()).toBe(1);
  expect(await own.isChecked()).toBe(true);
  await page.route('**/console/receiver', (route) => route.abort());
  await page.getByLabel('respond 500', { exact: true }).click();
  await page.getByRole('alert').getByText('The local world does not respond.').waitFor();
  await set({ responds: true, status: 200, delay_ms: 0 });
  await page.getByLabel('respond 200', { exact: true }).and(page.locator(':checked')).waitFor();
});
