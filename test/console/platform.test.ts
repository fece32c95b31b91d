import { describe, expect } from 'vitest';
import { getFlow, updateFlow } from '#functions/flows/contracts.ts';
import { setupFaults } from '#local/graph/core/setup-faults.ts';
import { seededWorkspaces } from '#local/seed.ts';
import { newFlow } from '../../support/flows/flow-service.ts';
import { it, press } from './console-page.ts';

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
    await press(page, 'Make them fail');
    await page.getByText('The next request of send_message will fail with error 131056.').waitFor();

    const body = { to: '5511900000402', type: 'text', text: { body: 'Too fast' } };
    const failed = await pages.send(body);
    expect([failed.status >= 400, failed.text]).toEqual([true, expect.stringContaining('too many messages')]);
    await page.locator('.requests').getByText('fault: error').first().waitFor();
    await page.getByText('The next request of send_message').waitFor({ state: 'detached' });
    expect((await pages.send(body)).status).toBe(200);
  });

  it('has a switch for every fault of the set-up, and says which are on', async ({ pages }) => {
    const page = await pages.open('platform');
    const faults = page.locator('.setup-faults');
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
    await faults.getByText(/^\d+ on$/).waitFor({ state: 'detached' });
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
});
