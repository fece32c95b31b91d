import type { Locator, Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { it, press, screenshot } from './console-page.ts';

it.afterAll(({ pages }) => pages.endFile());

/** A PNG of one pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const bubble = (page: Page, text: string): Locator => page.locator('.bubble').filter({ hasText: text });

/** Opens what the contact can do with a message. */
const more = (message: Locator) => message.getByLabel('Reply, react or mark').click();

async function write(page: Page, text: string): Promise<void> {
  await page.getByLabel('Message', { exact: true }).fill(text);
  await press(page, 'Send');
  await bubble(page, text).waitFor();
}

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
    await page
      .getByLabel('Photo, video, audio or document')
      .setInputFiles({ name: 'dog.png', mimeType: 'image/png', buffer: png });
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
    await message.getByText('service, free').waitFor();

    await more(message);
    await press(message, '❤️');
    await message.locator('.reaction', { hasText: '❤️' }).waitFor();
    await press(message, 'Mark as read');
    await message.locator('.badge', { hasText: /^read$/ }).waitFor();
    await press(message, 'Reply');
    await page.locator('.quoted', { hasText: 'Until ten.' }).waitFor();
    await write(page, 'See you then');
    expect(await page.locator('.quoted').count()).toBe(0);

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
    const buttons = { type: 'button', body: { text: 'When?' }, action: { buttons: [reply] } };
    await pages.send({ to: contact, type: 'interactive', interactive: buttons });
    const rows = [{ id: 'soup', title: 'Soup', description: 'of the day' }];
    const list = {
      type: 'list',
      body: { text: 'What?' },
      action: { button: 'Menu', sections: [{ title: 'All', rows }] },
    };
    await pages.send({ to: contact, type: 'interactive', interactive: list });

    await press(bubble(page, 'When?'), 'At seven');
    await page.locator('.bubble.own', { hasText: 'At seven' }).waitFor();
    await press(bubble(page, 'What?'), 'Soup');
    await page.locator('.bubble.own', { hasText: 'Soup' }).waitFor();
    const { data } = await pages.service.simulate<{ data: InboxMessage[] }>('inbox');
    expect(data.filter((one) => one.contact === contact).map(({ content }) => content)).toEqual([
      { type: 'list_reply', list_reply: rows[0] },
      { type: 'button_reply', button_reply: reply.reply },
    ]);
  });

  it('shows the window of 24 hours, and closes it', async ({ pages }) => {
    const contact = '5511900000104';
    const text = { to: contact, type: 'text', text: { body: 'Still there?' } };
    const page = await pages.chat(contact);
    await press(page, 'Close window');
    await page.getByText('window closed: templates only').waitFor();
    await pages.send(text);
    await bubble(page, 'Still there?').getByText('failed', { exact: true }).waitFor();
    await bubble(page, 'Still there?').getByText('131047').waitFor();
    await press(page, 'Open window');
    await page.getByText(/window open for 2[34] h/).waitFor();
  });

  it('is with somebody who has only a username', async ({ pages }) => {
    const page = await pages.open('phone');
    await page.getByLabel('Contact: a phone number or a @username').fill('@maria.silva');
    await press(page, 'Start a chat');
    await page.getByText('You are @maria.silva').waitFor();
    await write(page, 'Who am I?');
    const { data } = await pages.service.simulate<{ data: InboxMessage[] }>('inbox');
    const recipient = data.find(({ content }) => content.body === 'Who am I?')?.contact;
    expect(recipient).toMatch(/^US\.\w+$/);
    await pages.send({ recipient, type: 'text', text: { body: 'You are Maria.' } });
    await bubble(page, 'You are Maria.').waitFor();
    await screenshot(page, 'username');
  });

  it('says what is wrong with a contact that is neither a phone number nor a username', async ({ pages }) => {
    const page = await pages.open('phone');
    await page.getByLabel('Contact: a phone number or a @username').fill('maria');
    await press(page, 'Start a chat');
    await page.getByRole('alert').getByText('A username begins with @.').waitFor();
  });
});
