import type { Locator, Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { it, press, talking } from './console-page.ts';

it.afterAll(({ pages }) => pages.endFile());

/** A PNG of one pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const bubble = (page: Page, text: string): Locator => page.locator('.bubble').filter({ hasText: text });

/** Opens the menu of a message, once the act before has closed it. */
async function more(message: Locator): Promise<void> {
  await message.locator('.menu:popover-open').waitFor({ state: 'detached' });
  await message.getByLabel('Reply, react or mark: ').click();
}

async function write(page: Page, text: string): Promise<void> {
  await page.getByLabel('Message', { exact: true }).fill(text);
  await press(page, 'Send');
  await bubble(page, text).waitFor();
}

const interactive = (to: string, content: object) => ({ to, type: 'interactive', interactive: content });

interface InboxMessage {
  readonly contact: string;
  readonly type: string;
  readonly content: Readonly<Record<string, unknown>>;
  readonly context: { readonly id?: string } | null;
}

describe('a chat', () => {
  it('sends a text and a photo with its bytes', async ({ pages }) => {
    const page = await pages.chat('5511900000101');
    await write(page, 'Hello!');
    await page.getByLabel('Message', { exact: true }).fill('My dog');
    await page.getByLabel('Attach').click();
    await page.getByLabel('Photo or video').setInputFiles({ name: 'dog.png', mimeType: 'image/png', buffer: png });
    const photo = bubble(page, 'My dog').getByRole('img');
    await photo.waitFor();
    await expect.poll(() => photo.evaluate((image) => Reflect.get(image, 'naturalWidth'))).toBe(1);
    const source = await photo.getAttribute('src');
    const kept = await fetch(`${pages.url}${source}`);
    expect(Buffer.from(await kept.arrayBuffer())).toEqual(png);
  });

  it('replies and reacts to a message of the business, and marks it as read', async ({ pages }) => {
    const contact = '5511900000102';
    const page = await pages.chat(contact);
    await write(page, 'Are you open?');
    await pages.send({ to: contact, type: 'text', text: { body: 'Until ten.' } });
    const message = bubble(page, 'Until ten.');
    const log = page.getByRole('log', { name: 'Messages' });
    expect(await log.locator('.bubble > .visually-hidden').allTextContents()).toEqual(['You: ', 'Acme: ']);
    await log.getByLabel('Reply, edit or delete: Are you open?').waitFor();
    await log.getByLabel('Reply, react or mark: Until ten.').waitFor();

    await more(message);
    await message.getByText('service, free').waitFor();
    await press(message, '❤️');
    await message.locator('.reaction', { hasText: '❤️' }).waitFor();
    await more(message);
    await press(message, 'Mark as read');
    await message.locator('.status', { hasText: /read$/ }).waitFor();
    await more(message);
    await message.getByText('Let it fail …').click();
    await message.getByRole('button', { name: '131049' }).click();
    await message.getByText('failed: 131049, the person gets too much marketing').waitFor();
    await more(message);
    await press(message, 'Reply');
    await page.locator('.quoted', { hasText: 'Until ten.' }).waitFor();
    await write(page, 'See you then');
    await expect.poll(() => page.locator('.quoted').count()).toBe(0);

    const [sent] = (await pages.service.simulate<{ data: { id: string; contact: string }[] }>('messages')).data;
    const { data } = await pages.service.simulate<{ data: InboxMessage[] }>('inbox');
    const own = data.filter((one) => one.contact === contact);
    expect(own.find(({ content }) => content.body === 'See you then')?.context?.id).toBe(sent?.id);
    expect(own.find(({ type }) => type === 'reaction')?.content).toEqual({ message_id: sent?.id, emoji: '❤️' });
  });

  it('taps a button and the row of a list', async ({ pages }) => {
    const contact = '5511900000103';
    const page = await pages.chat(contact);
    const reply = { type: 'reply', reply: { id: 'seven', title: 'At seven' } };
    await pages.send(interactive(contact, { type: 'button', body: { text: 'When?' }, action: { buttons: [reply] } }));
    const rows = [{ id: 'soup', title: 'Soup', description: 'of the day' }];
    const action = { button: 'Menu', sections: [{ title: 'All', rows }] };
    await pages.send(interactive(contact, { type: 'list', body: { text: 'What?' }, action }));

    await press(bubble(page, 'When?'), 'At seven');
    await page.locator('.bubble.own', { hasText: 'At seven' }).waitFor();
    await press(bubble(page, 'What?'), 'Menu');
    await bubble(page, 'What?').getByLabel('Soup').check();
    await press(bubble(page, 'What?'), 'Send');
    await page.locator('.bubble.own', { hasText: 'Soup' }).waitFor();
    const { data } = await pages.service.simulate<{ data: InboxMessage[] }>('inbox');
    expect(data.filter((one) => one.contact === contact).map(({ content }) => content)).toEqual([
      { type: 'list_reply', list_reply: rows[0] },
      { type: 'button_reply', button_reply: reply.reply },
    ]);
  });

  it('taps what cards, products, requests and templates offer, and shows no JSON', async ({ pages }) => {
    const contact = '5511900000105';
    const page = await pages.chat(contact);
    const own = (text: string) => page.locator('.bubble.own', { hasText: text }).first().waitFor();
    const header = { type: 'image', image: { link: 'https://example.com/room.jpg' } };
    const cards = ['First', 'Second'].map((title, card_index) => {
      const buttons = [{ type: 'quick_reply', quick_reply: { id: title, title: `Take the ${title}` } }];
      return { card_index, header, body: { text: `${title} room` }, action: { buttons } };
    });
    const catalog_id = '1';
    const sections = [{ title: 'Shirts', product_items: [{ product_retailer_id: 'shirt-1' }] }];
    const messages = [
      { type: 'carousel', body: { text: 'Rooms' }, action: { cards } },
      {
        type: 'product_list',
        header: { type: 'text', text: 'Shop' },
        body: { text: 'Products' },
        action: { catalog_id, sections },
      },
      { type: 'location_request_message', body: { text: 'Where?' }, action: { name: 'send_location' } },
      {
        type: 'address_message',
        body: { text: 'Whereto?' },
        action: { name: 'address_message', parameters: { country: 'IN' } },
      },
      {
        type: 'cta_url',
        body: { text: 'Online' },
        action: { name: 'cta_url', parameters: { display_text: 'Visit', url: 'https://example.com/' } },
      },
    ];
    for (const one of messages) await pages.send(interactive(contact, one));
    const template = {
      name: 'reminder',
      language: { code: 'en' },
      components: [
        { type: 'body', parameters: [{ type: 'text', text: 'Ann' }] },
        { type: 'button', sub_type: 'quick_reply', index: '0', parameters: [{ type: 'payload', payload: 'later' }] },
      ],
    };
    const words = [
      { type: 'BODY', text: 'Do not forget, {{1}}!' },
      { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'Later' }] },
    ];
    const declaration = { name: 'reminder', language: 'en', category: 'UTILITY', components: words };
    await pages.service.simulate('templates', 'POST', declaration);
    await pages.send({ to: contact, type: 'template', template });

    await press(bubble(page, 'Rooms'), 'Take the Second');
    await own('Take the Second');
    await press(bubble(page, 'Products'), 'View items');
    await bubble(page, 'Products').getByLabel('shirt-1').check();
    await press(bubble(page, 'Products'), 'Send');
    await own('1 × shirt-1');
    await press(bubble(page, 'Where?'), 'Send location');
    await own('Guggenheim');
    await press(bubble(page, 'Whereto?'), 'Provide address');
    await own('1 Sample Street');
    expect(await bubble(page, 'Online').getByRole('link', { name: 'Visit' }).getAttribute('href')).toBe(
      'https://example.com/',
    );
    await more(bubble(page, 'Do not forget, Ann!'));
    await bubble(page, 'Do not forget, Ann!').getByText('utility, billed').waitFor();
    await page.keyboard.press('Escape');
    await press(bubble(page, 'Do not forget, Ann!'), 'Later');
    await own('Later');
    expect(await page.locator('.entries .unknown').count()).toBe(0);

    const { data } = await pages.service.simulate<{ data: InboxMessage[] }>('inbox');
    const types = data.filter((one) => one.contact === contact).map(({ type }) => type);
    expect(types.toReversed()).toEqual(['interactive', 'order', 'location', 'interactive', 'button']);
  });

  it('edits and deletes a message of the contact', async ({ pages }) => {
    const contact = '5511900000106';
    const page = await pages.chat(contact);
    await write(page, 'At sevn');
    const field = page.getByLabel('Message', { exact: true });
    await field.fill('Or rather');
    const open = (text: string) => bubble(page, text).getByLabel(`Reply, edit or delete: ${text}`).click();
    await open('At sevn');
    await press(bubble(page, 'At sevn'), 'Edit');
    await expect.poll(() => field.inputValue()).toBe('At sevn');
    expect(await page.getByLabel('Attach').count()).toBe(0);
    await press(page, 'Cancel edit');
    await expect.poll(() => field.inputValue()).toBe('Or rather');
    await page.getByLabel('Attach').waitFor();
    await open('At sevn');
    await press(bubble(page, 'At sevn'), 'Edit');
    await write(page, 'At seven');
    const message = bubble(page, 'At seven');
    await message.getByText('edited').waitFor();
    await open('At seven');
    await press(message, 'Delete for everyone');
    await page.getByText('This message was deleted.').waitFor();
    const { data } = await pages.service.simulate<{ data: InboxMessage[] }>('inbox');
    const types = data.filter((one) => one.contact === contact).map(({ type }) => type);
    expect(types).toEqual(['revoke', 'edit', 'text']);
  });

  it('keeps what could not be sent, and says so', async ({ pages }) => {
    const page = await pages.chat('5511900000107');
    const isTyped = Promise.withResolvers<void>();
    await page.route('**/simulator/events', async (route) => {
      await isTyped.promise;
      await route.abort();
    });
    const field = page.getByLabel('Message', { exact: true });
    await field.fill('Do you hear me?');
    await field.press('Enter');
    await expect.poll(() => field.inputValue()).toBe('');
    await field.fill('Hello?');
    isTyped.resolve();
    await page.getByRole('alert').getByText('This was not sent. The local world does not respond.').waitFor();
    expect(await field.inputValue()).toBe('Do you hear me?\nHello?');
  });

  it('comes after the list of chats on a narrow screen, with a way back', async ({ pages }) => {
    const page = await pages.open(`phone/${talking.phone_number_id}/5511900000109`, {
      viewport: { width: 360, height: 700 },
    });
    await write(page, 'So small');
    expect(await page.getByRole('region', { name: 'Chats' }).isVisible()).toBe(false);
    const focused = () => page.evaluate('document.activeElement.localName');
    await page.getByRole('link', { name: 'All chats' }).click();
    await page.getByRole('region', { name: 'Chats' }).waitFor();
    await expect.poll(focused).toBe('main');
    await page.getByRole('region', { name: 'Chats' }).getByRole('link').filter({ hasText: 'So small' }).focus();
    await page.keyboard.press('Enter');
    await bubble(page, 'So small').waitFor();
    await expect.poll(focused).toBe('main');
  });
});
