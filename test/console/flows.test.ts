import type { FrameLocator, Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { getFlow, publishFlow, updateFlowJson } from '#functions/flows/contracts.ts';
import { seededWorkspaces } from '#local/seed.ts';
import { type Receiver, startReceiver } from '../../support/http/receiver.ts';
import { findingsIn } from '../browser/reading.ts';
import { slotsAnswer, slotsFlow } from '../browser/slots.ts';
import { it, type Pages, press } from './console-page.ts';

const workspace = String(seededWorkspaces[0]?.id);

let endpoint: Receiver;
it.beforeAll(async () => {
  endpoint = await startReceiver();
  endpoint.script('/flow', ({ body }) => {
    const request = JSON.parse(body.toString());
    if (request.action === 'ping') return { body: JSON.stringify({ data: { status: 'active' } }) };
    const answer = JSON.stringify(slotsAnswer(request));
    return { body: answer.replace('"flow_token":"token"', `"flow_token":"${request.flow_token}"`) };
  });
});
it.afterAll(async ({ pages }) => {
  await pages.endFile();
  await endpoint.close();
});

const field = (page: Page) => page.getByRole('textbox', { name: 'Flow JSON' });
const findings = (page: Page) => page.getByRole('list', { name: 'Findings' }).getByRole('listitem');
const phone = (page: Page): FrameLocator => page.frameLocator('iframe[title="Running Flow"]');
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true });
const hasSaved = (page: Page) => page.getByText('not saved', { exact: true }).waitFor({ state: 'detached' });
/** The field as the page has it. These tests are compiled without the types of browsers. */
type Field = Readonly<Record<'selectionStart' | 'selectionEnd' | 'scrollLeft', number>> & { readonly value: string };

const selected = (page: Page) =>
  field(page).evaluate((element) => {
    const { value, selectionStart, selectionEnd } = element as unknown as Field;
    return value.slice(selectionStart, selectionEnd);
  });

const read = async ({ service }: Pages, flow: string) => service.api.succeed(getFlow, { params: { workspace, flow } });

/** A page with the editor of a Flow, which has one screen with this title. */
async function edit(pages: Pages, { isPublished = false } = {}) {
  const { id } = await (isPublished ? pages.service.published(workspace) : pages.service.publishable(workspace));
  const page = await pages.open(`flows/${workspace}/${id}`);
  await field(page).waitFor();
  return { page, id };
}

describe('the page Flows', () => {
  it('creates a Flow, and shows on the phone what is typed before and after it is saved', async ({ pages }) => {
    const page = await pages.open('flows');
    await press(page, 'New Flow');
    await phone(page).getByRole('heading', { name: 'How was it?' }).waitFor();
    const text = await field(page).inputValue();
    await field(page).fill(text.replace('How was it?', 'How was the soup? 🍜'));
    await phone(page).getByRole('heading', { name: 'How was the soup? 🍜' }).waitFor();
    await page.getByText('not saved', { exact: true }).waitFor();
    const sent = page.getByText('A phone gets the Flow as it was saved.');
    await sent.waitFor();
    await save(page).click();
    await hasSaved(page);
    await sent.waitFor({ state: 'detached' });
    const id = page.url().split('/').at(-1) ?? '';
    expect(JSON.stringify((await read(pages, id)).json)).toContain('How was the soup? 🍜');
    await phone(page).getByLabel('Good', { exact: true }).check();
    await phone(page).getByRole('button', { name: 'Send' }).click();
    await phone(page).getByText('"rating": "good"').waitFor();
  });

  it('shows each finding at its line of the text as typed, and selects what it is about', async ({ pages }) => {
    const { page } = await edit(pages);
    const lines = ['{', '\t"version": "7.3",', '\t"💐 ü": 1, "screens": [', `\t${' '.repeat(400)}{ "id": 5 }`, ']}'];
    await field(page).fill(lines.join('\r\n'));
    const late = findings(page).filter({ hasText: 'line 4' });
    await late.first().waitFor();
    await late
      .filter({ hasText: /'id'|id/ })
      .first()
      .getByRole('button')
      .click();
    await late.first().getByText('error', { exact: true }).waitFor();
    await page.locator('.line[data-tint="bad"]').first().waitFor();
    expect(lines[3]).toContain(await selected(page));
    expect((await selected(page)).length).toBeGreaterThan(0);
    expect(await field(page).evaluate((element) => (element as unknown as Field).scrollLeft)).toBeGreaterThan(500);
    await findings(page).filter({ hasText: 'line 3' }).first().getByRole('button').click();
    expect(await selected(page)).toMatch(/💐|1|\[/u);
    expect(await page.locator('.text-field .gutter').textContent()).toMatch(/✖ 4\n/);
  });

  it('asks before it saves a published Flow, and only then makes it a draft', async ({ pages }) => {
    const { page, id } = await edit(pages, { isPublished: true });
    const text = `${await field(page).inputValue()}\n`.replace('"version"', ' "version"');
    const changed = text.replace(/"title": "[^"]*"/, '"title": "Edited"');
    await field(page).fill(changed);
    await save(page).click();
    const dialog = page.getByRole('dialog', { name: 'Make this Flow a draft?' });
    await dialog.getByText('Saving makes it a draft').waitFor();
    await press(dialog, 'Cancel');
    expect(await field(page).inputValue()).toBe(changed);
    expect((await read(pages, id)).status.description).toBe('Published');

    await save(page).click();
    await press(dialog, 'Save as a draft');
    await hasSaved(page);
    expect(await field(page).inputValue()).toBe(changed);
    expect((await read(pages, id)).status.description).toBe('Draft');
    await page.locator('.flow-bar').getByText('Draft', { exact: true }).waitFor();
    await press(page, 'Publish');
    await page.locator('.flow-bar').getByText('Published', { exact: true }).waitFor();
  });

  it('shows what another tab saves, and never overwrites it or what was typed without being asked', async ({
    pages,
  }) => {
    const { page: one, id } = await edit(pages);
    const other = await pages.open(`flows/${workspace}/${id}`);
    await field(other).waitFor();
    const text = await field(one).inputValue();
    const titled = (title: string) => text.replace(/"title": "[^"]*"/, `"title": "${title}"`);

    await field(one).fill(titled('First'));
    await save(one).click();
    await hasSaved(one);
    await expect.poll(() => field(other).inputValue()).toBe(titled('First'));

    await field(other).fill(titled('Mine'));
    await field(one).fill(titled('Second'));
    await save(one).click();
    await hasSaved(one);
    await other.getByText('This Flow was saved elsewhere after you opened it').waitFor();
    expect(await field(other).inputValue()).toBe(titled('Mine'));
    expect(await save(other).isDisabled()).toBe(true);
    await press(other, 'Keep my text');
    await other.reload();
    expect(await field(other).inputValue()).toBe(titled('Mine'));
    expect(await other.getByRole('alert').count()).toBe(0);
    await save(other).click();
    await hasSaved(other);
    await expect.poll(() => field(one).inputValue()).toBe(titled('Mine'));

    await field(one).fill(titled('Lost'));
    await field(other).fill(titled('Third'));
    await save(other).click();
    await hasSaved(other);
    await press(one, 'Discard it and show the other');
    expect(await field(one).inputValue()).toBe(titled('Third'));
  });

  it('moves funnel and exchanges when the Flow is sent to a phone and filled in there', async ({ pages }) => {
    const { service } = pages;
    const { id } = await service.draft(workspace, { endpoint_url: `${endpoint.url}/flow`, endpoint_encrypted: false });
    const params = { workspace, flow: id };
    await service.api.succeed(updateFlowJson, { params, body: { json: slotsFlow } });
    await service.api.succeed(publishFlow, { params });
    const page = await pages.open(`flows/${workspace}/${id}`);
    const funnel = page.getByRole('region', { name: 'Funnel' });
    const exchanges = page.getByRole('region', { name: 'Exchanges' });
    await funnel.getByText('Nobody has this Flow yet.').waitFor();
    expect(await exchanges.getByText('INIT', { exact: true }).count()).toBe(0);
    const completed = funnel.locator('dt', { hasText: /^completed$/ }).locator('xpath=following-sibling::dd[1]//b');
    expect(await completed.textContent()).toBe('0');

    const chat = await pages.open(`flows/${workspace}/${id}`);
    await press(chat, 'Send to a phone');
    await chat.locator('.bubble').getByRole('button', { name: 'Open', exact: true }).last().click();
    const sheet = chat.frameLocator('dialog iframe');
    await sheet.getByLabel('Day', { exact: true }).selectOption('tue');
    await sheet.getByRole('button', { name: 'Find slots' }).click();
    await exchanges.getByText('INIT', { exact: true }).waitFor();
    await exchanges.getByText('data_exchange', { exact: true }).first().waitFor();
    await sheet.getByLabel('9:00').check();
    await sheet.getByRole('button', { name: 'Book', exact: true }).click();
    await expect.poll(() => completed.textContent()).toBe('1');
  });

  it('axe finds nothing, with findings, dialog and phone', async ({ pages }) => {
    const { page } = await edit(pages, { isPublished: true });
    await field(page).fill('{"version":"7.3","screens":[{}]}');
    await findings(page).first().waitFor();
    await phone(page).locator('.phone').waitFor();
    expect(await findingsIn(page, 'html')).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await findingsIn(page, 'html')).toEqual([]);
    const frame = page.frames().find((one) => one.url().endsWith('/sheet'));
    expect(frame && (await findingsIn(frame, 'html'))).toEqual([]);
    await save(page).click();
    await page.getByRole('dialog').waitFor();
    expect(await findingsIn(page, 'dialog')).toEqual([]);
  });
});
