import { describe, expect } from 'vitest';
import { contract as getCallPermission } from '#functions/calls/get-call-permission/contract.ts';
import { contract as getFlow } from '#functions/flows/get-flow/contract.ts';
import { contract as updateFlow } from '#functions/flows/update-flow/contract.ts';
import { setupFaults } from '#local/graph/core/setup-faults.ts';
import { seededWorkspaces } from '#local/seed.ts';
import { newFlow } from '../../support/flows/flow-service.ts';
import { it, press, talking } from './console-page.ts';

it.afterAll(({ pages }) => pages.endFile());

describe('the page Platform', () => {
  it('shows the requests of the service with their bodies as they happen', async ({ pages }) => {
    const { service } = pages;
    const workspace = String(seededWorkspaces[0]?.id);
    const { id: flow, name } = await service.draft(workspace);
    const upstream = (await service.upstreamFlows()).find((one) => one.name === name);
    const page = await pages.open('platform');
    await service.api.succeed(updateFlow, { params: { workspace, flow }, body: newFlow({ name: 'Watched' }) });
    // Requests of earlier tests are in the list, too. Only this one has the Flow's id in its path.
    const request = page.locator('.requests > li').filter({ hasText: `POST /v25.0/${upstream?.id}` });
    await request.getByText('200', { exact: true }).waitFor();
    await request.getByText('update_flow').click();
    await request.getByRole('region', { name: 'Request' }).getByText('"name": "Watched"').waitFor();
    await request.getByRole('region', { name: 'Response' }).getByText('"success": true').waitFor();
  });

  it('makes the next request fail, and only that one', async ({ pages }) => {
    const page = await pages.open('platform');
    await page.getByLabel('requests of the operation').selectOption('send_message');
    await page.getByLabel('Error code', { exact: true }).fill('131056');
    await press(page, 'Set');
    await page.getByText('The next request of send_message will fail with error 131056.').waitFor();

    const body = { to: '5511900000402', type: 'text', text: { body: 'Too fast' } };
    const failed = await pages.send(body);
    expect([failed.status >= 400, failed.text]).toEqual([true, expect.stringContaining('too many messages')]);
    await page.locator('.requests').getByText('fault: error').first().waitFor();
    await page.getByText('The next request of send_message').waitFor({ state: 'detached' });
    expect((await pages.send(body)).status).toBe(200);
  });

  it('makes as many requests fail as was typed, whatever happens meanwhile', async ({ pages }) => {
    const page = await pages.open('platform');
    await page.getByLabel('The next', { exact: true }).fill('3');
    await page.getByLabel('Error code', { exact: true }).fill('131047');
    await page.locator('[name=outcome]').selectOption('be rate-limited (429)');
    expect(await page.getByLabel('Error code', { exact: true }).isVisible()).toBe(false);
    await page.locator('[name=outcome]').selectOption('fail with an error code');
    // Every change in the world draws the page again.
    await pages.service.simulate('population', 'PUT', { ids: 'both' });
    await expect.poll(() => page.getByLabel('What businesses see of people').inputValue()).toBe('both');
    await pages.service.simulate('population', 'PUT', { ids: 'phone_numbers' });
    await press(page, 'Set');
    await page.getByText('The next 3 requests of any operation will fail with error 131047.').waitFor();
    await press(page, 'Remove all');
    // The focus does not get lost with the button.
    await expect.poll(() => page.evaluate('document.activeElement.localName')).toBe('section');
  });

  it('stays with the contact that it shows while others write', async ({ pages }) => {
    const write = (wa_id: string) =>
      pages.service.simulate('events', 'POST', {
        events: [{ type: 'text', phone_number_id: talking.phone_number_id, contact: { wa_id } }],
      });
    await write('5511900000401');
    const page = await pages.open('platform');
    const contact = page.getByLabel('Contact and number');
    await expect.poll(() => contact.inputValue()).toMatch(/5511900000401$/);
    await write('5511900000402');
    await contact.locator('option', { hasText: '5511900000402' }).waitFor({ state: 'attached' });
    expect(await contact.inputValue()).toMatch(/5511900000401$/);
  });

  it('hides the phone numbers of people, and shows them again', async ({ pages }) => {
    const page = await pages.open('platform');
    const seen = page.getByLabel('What businesses see of people');
    await seen.selectOption('only a username');
    await expect.poll(() => pages.service.simulate<{ ids: string }>('population')).toEqual({ ids: 'user_ids' });
    await seen.selectOption('their phone number');
    await expect.poll(() => pages.service.simulate<{ ids: string }>('population')).toEqual({ ids: 'phone_numbers' });
  });

  it('follows what programs and the service change', async ({ pages }) => {
    const page = await pages.open('platform');
    const { simulate } = pages.service;
    const seen = page.getByLabel('What businesses see of people');
    await simulate('population', 'PUT', { ids: 'both' });
    await expect.poll(() => seen.inputValue()).toBe('both');
    await simulate('population', 'PUT', { ids: 'phone_numbers' });
    await expect.poll(() => seen.inputValue()).toBe('phone_numbers');

    await simulate('setup/faults', 'PUT', { faults: ['quality_red'] });
    await page.locator('.setup-faults').getByText('1 on').waitFor();
    await simulate('setup/faults', 'PUT', { faults: [] });
    await page.locator('.setup-faults').getByText('none on').waitFor();

    await simulate('faults', 'POST', { match: { path: 'get_media' }, times: 3, fault: { kind: 'malformed' } });
    await page.getByText('The next 3 requests of get_media will respond with HTML.').waitFor();
    await press(page, 'Remove all');
    await page.getByText('The next 3 requests of get_media').waitFor({ state: 'detached' });
  });

  it('has a switch for every fault of the set-up, and says which are on', async ({ pages }) => {
    const page = await pages.open('platform');
    const faults = page.locator('.setup-faults');
    await faults.getByText('none on').waitFor();
    await faults.getByText(`Show all ${setupFaults.length}`).click();
    expect(await faults.getByRole('checkbox').count()).toBe(setupFaults.length);
    expect(await faults.getByRole('group').count()).toBeGreaterThan(5);
    await faults.getByLabel('The quality of the numbers is low.').check();
    await faults.getByText('1 on').waitFor();
    await faults.getByLabel('The business is not verified.').check();
    await faults.getByText('2 on').waitFor();
    const on = () => pages.service.simulate<{ faults: string[] }>('setup/faults').then((response) => response.faults);
    expect(await on()).toEqual(['quality_red', 'business_not_verified']);
    await press(page, 'Switch all off');
    await faults.getByText('none on').waitFor();
    expect(await on()).toEqual([]);
  });

  it('throttles, blocks and deprecates a published Flow, and the service learns of it', async ({ pages }) => {
    const { service } = pages;
    const workspace = String(seededWorkspaces[0]?.id);
    const { id, name } = await service.published(workspace);
    const params = { workspace, flow: id };
    const heard = () => service.api.succeed(getFlow, { params }).then(({ status }) => status.description);

    const page = await pages.open('platform');
    const status = page.getByRole('combobox', { name, exact: true });
    for (const chosen of ['throttled', 'blocked', 'published']) {
      await status.selectOption(chosen);
      await expect.poll(async () => (await heard()).toLowerCase()).toBe(chosen);
    }
    await status.selectOption('deprecated');
    const dialog = page.getByRole('dialog', { name: `Deprecate ${name}?` });
    await press(dialog, 'Cancel');
    expect(await status.inputValue()).toBe('PUBLISHED');
    expect((await heard()).toLowerCase()).toBe('published');
    await status.selectOption('deprecated');
    await press(dialog, 'Deprecate');
    await page.locator('p', { hasText: name }).getByText('deprecated for good').waitFor();
    await expect.poll(async () => (await heard()).toLowerCase()).toBe('deprecated');
  });

  it('grants, withdraws and ends a permission to call, and the service sees it', async ({ pages }) => {
    const contact = '5511900000404';
    await pages.send({ to: contact, type: 'text', text: { body: 'May we call?' } });
    const page = await pages.open('platform');
    await page.getByLabel('Contact and number').selectOption(`${talking.phone_number_id}/${contact}`);
    const permission = page.getByLabel('The contact permits calls');
    const asked = () =>
      pages.service.api.succeed(getCallPermission, {
        params: { number: talking.id },
        query: { user_wa_id: contact },
      });
    const set = async (state: string, expected: string) => {
      await permission.selectOption(state);
      await expect.poll(async () => (await asked()).calling.permission.status).toBe(expected);
    };
    await set('always', 'permanent');
    await set('no', 'no_permission');
    await set('for seven days', 'temporary');
    await set('expired', 'no_permission');
  });

  it('hands a conversation to another sender and back', async ({ pages }) => {
    const contact = '5511900000405';
    await pages.send({ to: contact, type: 'text', text: { body: 'Hello' } });
    const page = await pages.open('platform');
    await page.getByLabel('Contact and number').selectOption(`${talking.phone_number_id}/${contact}`);
    const holder = page.getByLabel('Who answers');
    const held = async () =>
      (await pages.service.simulate<{ data: { contact: string; held_by: string }[] }>('conversations')).data
        .filter((one) => one.contact === contact)
        .map(({ held_by }) => held_by);
    await holder.selectOption("Meta's agent");
    await expect.poll(held).toEqual(['ai_agent']);
    await holder.selectOption('this service');
    await expect.poll(held).toEqual([]);
  });
});
