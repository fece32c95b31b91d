import { describe, expect } from 'vitest';
import { breaking, go, it, talking } from './console-page.ts';

it.afterAll(({ pages }) => pages.endFile());

describe('what stands above all pages', () => {
  it('counts messages that came while another page was shown, until somebody looks at the chat', async ({ pages }) => {
    const contact = '5511900000601';
    const page = await pages.open('flows');
    const phone = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Phone' });
    await pages.send({ to: contact, type: 'text', text: { body: 'Are you there?' } });
    await phone.getByText('1 unread').waitFor();
    await go(page, 'phone');
    const chat = page.getByRole('link').filter({ hasText: 'Are you there?' });
    await chat.getByText('1 unread').waitFor();
    await chat.click();
    await phone.getByText('unread').waitFor({ state: 'detached' });
    await pages.send({ to: contact, type: 'text', text: { body: 'Still there?' } });
    await page.locator('.bubble', { hasText: 'Still there?' }).waitFor();
    expect(await phone.textContent()).toBe('Phone');
  });

  it('lets the pages use another number, and copies its id and the token', async ({ pages }) => {
    const page = await pages.open('', { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.getByText(`Point the webhook of ${talking.display_phone_number}`).waitFor();
    await page.getByLabel('Number that the pages use').selectOption(breaking.display_phone_number);
    await page.getByText(`Point the webhook of ${breaking.display_phone_number}`).waitFor();
    await page.getByRole('button', { name: 'Copy', exact: true }).first().click();
    await page.getByRole('button', { name: 'Id of the number' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(breaking.id);
  });

  it('shows that the world is live', async ({ pages }) => {
    const page = await pages.open('platform');
    await page.getByRole('status').getByText('live', { exact: true }).waitFor();
  });
});
