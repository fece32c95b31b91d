import type { FrameLocator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { getFlowFunnel, publishFlow, updateFlowJson } from '#functions/flows/contracts.ts';
import { seededWorkspaces } from '#local/seed.ts';
import { type Receiver, startReceiver } from '../../support/http/receiver.ts';
import { dynamic } from '../browser/dynamic.ts';
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

it('a photo that the contact picks reaches the endpoint and the final response', async ({ pages }) => {
  const { service } = pages;
  const photos: unknown[] = [];
  endpoint.script('/photos', ({ body }) => {
    const { action, screen, data } = JSON.parse(body.toString());
    if (action === 'ping') return { body: JSON.stringify({ data: { status: 'active' } }) };
    if (screen) photos.push(...data.photos);
    return { body: JSON.stringify({ screen: screen ? 'LAST' : 'FIRST', data: {} }) };
  });
  const picker = (id: string, name: string, action: string, terminal: boolean) => ({
    ...{ id, title: id, terminal, data: {} },
    layout: {
      type: 'SingleColumnLayout',
      children: [
        { type: 'PhotoPicker', name, label: 'Photos', 'max-uploaded-photos': 1 },
        {
          type: 'Footer',
          label: 'Go',
          'on-click-action': { name: action, payload: { [name]: dynamic(`form.${name}`) } },
        },
      ],
    },
  });
  const json = {
    ...{ version: '7.3', data_api_version: '3.0', routing_model: { FIRST: ['LAST'], LAST: [] } },
    screens: [picker('FIRST', 'photos', 'data_exchange', false), picker('LAST', 'pictures', 'complete', true)],
  };
  const metadata = { endpoint_url: `${endpoint.url}/photos`, endpoint_encrypted: false };
  const { id } = await service.draft(workspace, metadata);
  const params = { workspace, flow: id };
  await service.api.succeed(updateFlowJson, { params, body: { json } });
  await service.api.succeed(publishFlow, { params });
  const contact = '5511900000203';
  const page = await pages.chat(contact);
  await pages.send({ to: contact, type: 'flow', flow: { flow: id, cta: 'Book', body: 'Come and eat' } });

  await press(page, 'Book');
  const pick = async (content: string) => {
    const file = { name: 'IMG_1.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(content) };
    await sheet(page).locator('input[type=file]').setInputFiles(file);
    await sheet(page).getByRole('button', { name: 'Go' }).click();
  };
  await title(page, 'FIRST');
  await pick('for the endpoint');
  await title(page, 'LAST');
  expect(photos).toEqual([
    { file_name: 'IMG_1.jpg', media_id: expect.any(String), url: expect.stringContaining(`/v2/flows/${id}/files/`) },
  ]);
  const [{ url }] = photos as [{ url: string }];
  expect(await (await fetch(url)).text()).toBe('for the endpoint');

  await pick('for the response');
  const response = page.locator('.bubble.own', { hasText: 'Filled in the Flow' });
  await response.getByText('Response', { exact: true }).click();
  await response.getByText('"sha256":').waitFor();
});
