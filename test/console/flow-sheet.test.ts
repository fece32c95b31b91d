import type { FrameLocator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { getFlowFunnel, publishFlow, updateFlowJson } from '#functions/flows/contracts.ts';
import { seededWorkspaces } from '#local/seed.ts';
import { type Receiver, startReceiver } from '../../support/http/receiver.ts';
import { slotsAnswer, slotsFlow } from '../browser/slots.ts';
import { it, press } from './console-page.ts';

const workspace = String(seededWorkspaces[0]?.id);
let endpoint: Receiver;
let flow: string;

it.beforeAll(async ({ pages: { service } }) => {
  endpoint = await startReceiver();
  endpoint.script('/flow', ({ body }) => {
    const request = JSON.parse(body.toString());
    if (request.action === 'ping') return { body: JSON.stringify({ data: { status: 'active' } }) };
    // The final response names the token of the message, by which the service knows who completed the Flow.
    return {
      body: JSON.stringify(slotsAnswer(request)).replace(
        '"flow_token":"token"',
        `"flow_token":"${request.flow_token}"`,
      ),
    };
  });
  ({ id: flow } = await service.draft(workspace, { endpoint_url: `${endpoint.url}/flow`, endpoint_encrypted: false }));
  const params = { workspace, flow };
  await service.api.succeed(updateFlowJson, { params, body: { json: slotsFlow } });
  await service.api.succeed(publishFlow, { params });
});
it.afterAll(async ({ pages }) => {
  await pages.endFile();
  await endpoint.close();
});

const sheet = (page: Page): FrameLocator => page.frameLocator('dialog iframe');
const focused = (page: Page) => page.evaluate('document.activeElement.textContent');
const title = (page: Page, name: string) => sheet(page).getByRole('heading', { name, level: 1 }).waitFor();

it('a Flow opens as a sheet over the chat, is filled in, and its final response appears in the chat and in the funnel', async ({
  pages,
}) => {
  const contact = '5511900000201';
  const page = await pages.chat(contact);
  const funnel = () => pages.service.api.succeed(getFlowFunnel, { params: { workspace, flow } });
  await pages.send({ to: contact, type: 'flow', flow: { flow, cta: 'Book', body: 'Come and eat' } });
  const before = await funnel();

  await press(page, 'Book');
  await title(page, 'Choose a day');
  await sheet(page).getByText('Managed by Acme').waitFor();
  await sheet(page).getByLabel('Day', { exact: true }).selectOption('tue');
  await sheet(page).getByRole('button', { name: 'Find slots' }).click();
  await title(page, 'Choose a slot');
  await sheet(page).getByLabel('9:00').check();
  await sheet(page).getByRole('button', { name: 'Book', exact: true }).click();

  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await expect.poll(() => focused(page)).toBe('Book');
  const response = page.locator('.bubble.own', { hasText: 'Filled in the Flow' });
  await response.getByText('Response', { exact: true }).click();
  await response.getByText('"slot": "early"').waitFor();
  await expect.poll(funnel).toMatchObject({
    sent: before.sent,
    opened: Number(before.opened) + 1,
    completed: before.completed + 1,
  });
});

it('the sheet goes back a screen, starts again from its menu, and closes by its button, Escape or a click beside it', async ({
  pages,
}) => {
  const contact = '5511900000202';
  const page = await pages.chat(contact);
  await pages.send({ to: contact, type: 'flow', flow: { flow, cta: 'Book', body: 'Come and eat' } });
  const isClosed = async () => {
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    expect(await focused(page)).toBe('Book');
  };
  const open = async () => {
    await press(page, 'Book');
    await title(page, 'Choose a day');
  };

  await open();
  await sheet(page).getByLabel('Day', { exact: true }).selectOption('tue');
  await sheet(page).getByRole('button', { name: 'Find slots' }).click();
  await title(page, 'Choose a slot');
  await sheet(page).getByRole('button', { name: 'Back' }).click();
  await title(page, 'Choose a day');
  await sheet(page).getByLabel('Menu').click();
  await sheet(page).getByRole('button', { name: 'Restart' }).click();
  await title(page, 'Choose a day');
  await sheet(page).getByRole('button', { name: 'Close' }).click();
  await isClosed();

  await open();
  await page.keyboard.press('Escape');
  await isClosed();

  await open();
  await sheet(page).getByLabel('Day', { exact: true }).focus();
  await page.keyboard.press('Escape');
  await isClosed();

  await open();
  await page.mouse.click(10, 300);
  await isClosed();
});
