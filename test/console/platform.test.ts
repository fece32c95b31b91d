import { describe, expect } from 'vitest';
import { it, press, talking } from './console-page.ts';

it.afterAll(({ pages }) => pages.endFile());

describe('the page Platform', () => {
  it('shows the requests of the service with their bodies as they happen', async ({ pages }) => {
    const page = await pages.open('platform');
    await pages.send({ to: '5511900000401', type: 'text', text: { body: 'Watch this' } });
    const request = page.locator('.requests > li').filter({ hasText: 'send_message' }).first();
    await request.getByText('200', { exact: true }).waitFor();
    await request.getByText(`POST /v25.0/${talking.phone_number_id}/messages`).click();
    await request.getByRole('region', { name: 'Request' }).getByText('"body": "Watch this"').waitFor();
    await request.getByRole('region', { name: 'Response' }).getByText('"id": "wamid.').waitFor();
  });

  it('makes the next request fail, and only that one', async ({ pages }) => {
    const page = await pages.open('platform');
    await page.getByLabel('requests of the operation').selectOption('send_message');
    await page.getByLabel('Error code', { exact: true }).fill('131056');
    await press(page, 'Set');
    await page.getByText('The next 1 of send_message').waitFor();

    const body = { to: '5511900000402', type: 'text', text: { body: 'Too fast' } };
    const failed = await pages.send(body);
    expect([failed.status >= 400, failed.text]).toEqual([true, expect.stringContaining('too many messages')]);
    await page.locator('.requests').getByText('fault: error').first().waitFor();
    await page.getByText('The next 1 of send_message').waitFor({ state: 'detached' });
    expect((await pages.send(body)).status).toBe(200);
  });

  it('hides the phone numbers of people, and shows them again', async ({ pages }) => {
    const page = await pages.open('platform');
    const seen = page.getByLabel('Businesses see of people');
    await seen.selectOption('only a username');
    await expect.poll(() => pages.service.simulate<{ ids: string }>('population')).toEqual({ ids: 'user_ids' });
    await seen.selectOption('their phone number');
    await expect.poll(() => pages.service.simulate<{ ids: string }>('population')).toEqual({ ids: 'phone_numbers' });
  });
});
