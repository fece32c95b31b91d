import type { Locator, Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { it, press, screenshot, talking } from './console-page.ts';

it.afterAll(({ pages }) => pages.endFile());

/** A PNG of one pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const bubble = (page: Page, text: string): Locator => page.locator('.bubble').filter({ hasText: text });

/** Opens the menu of a message, once the act before has closed it. */
async function more(message: Locator): Promise<void> {
  await message.locator('.menu:not([open])').waitFor({ state: 'attached' });
  await message.getByLabel('Reply, react or mark: ').click();
}

async function write(page: Page, text: string): Promise<void> {
  await page.getByLabel('Message', { exact: true }).fill(text);
  await press(page, 'Send');
  await bubble(page, text).waitFor();
}

const newContact = (page: Page) => page.getByText('New contact').click();

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
    await page
      .getByLabel('Photo, video, audio, document or sticker')
      .setInputFiles({ name: 'dog.png', mimeType: 'image/png', buffer: png });
    const photo = bubble(page, 'My dog').getByRole('img');
    await photo.waitFor();
    await expect.poll(() => photo.evaluate((image) => Reflect.get(image, 'naturalWidth'))).toBe(1);
    const source = await photo.getAttribute('src');
    const kept = await fetch(`${pages.url}${source}`);
    expect(Buffer.from(await kept.arrayBuffer())).toEqual(png);
  });

  it('sends a file as the type of message that its media type asks for', async ({ pages }) => {
    const contact = '5511900000112';
    const page = await pages.chat(contact);
    const files = [
      ['a.pdf', 'application/pdf', 'document'],
      ['a.mp4', 'video/mp4', 'video'],
      ['a.mp3', 'audio/mpeg', 'audio'],
      ['a.ogg', 'audio/ogg', 'audio'],
      ['a.webp', 'image/webp', 'sticker'],
    ] as const;
    for (const [i, [name, mimeType]] of files.entries()) {
      await page.getByLabel('Attach').click();
      await page.locator('.attach input').setInputFiles({ name, mimeType, buffer: png });
      await page.locator('.bubble.own').nth(i).waitFor();
    }
    await page.getByLabel('Attach').click();
    await press(page, 'Contact card');
    await bubble(page, 'Barbara J. Johnson').waitFor();
    const { data } = await pages.service.simulate<{ data: InboxMessage[] }>('inbox');
    const types = data.filter((one) => one.contact === contact).map(({ type }) => type);
    expect(types.toReversed()).toEqual([...files.map(([, , type]) => type), 'contacts']);
    await bubble(page, 'a.pdf').getByRole('link', { name: 'a.pdf' }).waitFor();
  });

  it('offers a file to save whose format the browser lacks', async ({ pages }) => {
    const page = await pages.chat('5511900000111');
    await page.getByLabel('Attach').click();
    await page
      .locator('.attach input[type=file]')
      .setInputFiles({ name: 'note.amr', mimeType: 'audio/amr', buffer: Buffer.from('#!AMR\n') });
    await page.getByText('This browser cannot show it. Save it to open it.').waitFor();
    expect(await page.locator('.bubble a[download]').count()).toBe(1);
  });

  it('keeps what is written when a file is sent that has no caption', async ({ pages }) => {
    const page = await pages.chat('5511900000114');
    const field = page.getByLabel('Message', { exact: true });
    await field.fill('Listen to this');
    await page.getByLabel('Attach').click();
    await page.locator('.attach input').setInputFiles({ name: 'a.mp3', mimeType: 'audio/mpeg', buffer: png });
    await page.locator('.bubble.own').waitFor();
    expect(await field.inputValue()).toBe('Listen to this');
  });

  it('keeps what is written while the console shows another chat or page', async ({ pages }) => {
    const page = await pages.chat('5511900000115');
    const field = page.getByLabel('Message', { exact: true });
    await field.fill('Not yet');
    await page.goto(`${pages.url}/#/phone/${talking.phone_number_id}/5511900000116`);
    await expect.poll(() => field.inputValue()).toBe('');
    await page.goto(`${pages.url}/#/platform`);
    await page.getByRole('heading', { name: 'Platform', level: 1 }).waitFor();
    await page.goto(`${pages.url}/#/phone/${talking.phone_number_id}/5511900000115`);
    await field.waitFor();
    expect(await field.inputValue()).toBe('Not yet');
  });

  it('opens at an address that cannot be decoded', async ({ pages }) => {
    const page = await pages.open('phone/%');
    await page.getByText('Choose a chat, or add a contact.').waitFor();
  });

  it('shows the other messages when one cannot be shown', async ({ pages }) => {
    const contact = '5511900000117';
    const page = await pages.open('platform');
    const message = { type: 'text', phone_number_id: talking.phone_number_id, contact, context: null, bill: null };
    const data = [
      { ...message, id: 'good', sent_at: 2, statuses: [], content: { body: 'All is well' } },
      { ...message, id: 'bad', sent_at: 1, statuses: null, content: { body: 'Without statuses' } },
    ];
    await page.route('**/simulator/messages', (route) => route.fulfill({ json: { data } }));
    await page.goto(`${pages.url}/#/phone/${talking.phone_number_id}/${contact}`);
    await page.reload();
    await bubble(page, 'All is well').waitFor();
    await page.getByText('This message cannot be shown.').waitFor();
  });

  it('gives the focus back to the button of a menu that Escape closes', async ({ pages }) => {
    const page = await pages.chat('5511900000113');
    const attach = page.getByLabel('Attach');
    await attach.focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    expect(await page.getByRole('button', { name: 'Contact card' }).isVisible()).toBe(false);
    expect(await attach.evaluate((element) => element.matches(':focus'))).toBe(true);
  });

  it('replies and reacts to a message of the business, and marks it as read', async ({ pages }) => {
    const contact = '5511900000102';
    const page = await pages.chat(contact);
    await write(page, 'Are you open?');
    await pages.send({ to: contact, type: 'text', text: { body: 'Until ten.' } });
    const message = bubble(page, 'Until ten.');
    await message.getByText('service, free').waitFor();
    const log = page.getByRole('log', { name: 'Messages' });
    expect(await log.locator('.bubble > .visually-hidden').allTextContents()).toEqual(['You: ', 'Acme: ']);
    await log.getByLabel('Reply, edit or delete: Are you open?').waitFor();
    await log.getByLabel('Reply, react or mark: Until ten.').waitFor();

    await more(message);
    await press(message, '❤️');
    await message.locator('.reaction', { hasText: '❤️' }).waitFor();
    await more(message);
    await press(message, 'Mark as read');
    await message.locator('.status', { hasText: /read$/ }).waitFor();
    await more(message);
    await message.getByLabel('Why it fails').selectOption('131049');
    await press(message, 'Mark as failed');
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
    await bubble(page, 'What?').getByText('Menu').click();
    await bubble(page, 'What?').getByRole('button', { name: 'Soup' }).click();
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
    await bubble(page, 'Products').getByText('View items').click();
    await bubble(page, 'Products').getByRole('button', { name: 'shirt-1' }).click();
    await own('1 × shirt-1');
    await press(bubble(page, 'Where?'), 'Send location');
    await own('Guggenheim');
    await press(bubble(page, 'Whereto?'), 'Provide address');
    await own('1 Sample Street');
    expect(await bubble(page, 'Online').getByRole('link', { name: 'Visit' }).getAttribute('href')).toBe(
      'https://example.com/',
    );
    await bubble(page, 'Do not forget, Ann!').getByText('utility, billed').waitFor();
    await press(bubble(page, 'Do not forget, Ann!'), 'Later');
    await own('Later');
    expect(await page.locator('.entries .unknown').count()).toBe(0);
    await screenshot(page, 'taps');

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

  it('shows the window of 24 hours, and closes it', async ({ pages }) => {
    const contact = '5511900000104';
    const text = { to: contact, type: 'text', text: { body: 'Still there?' } };
    const page = await pages.chat(contact);
    const state = page.locator('.window > summary');
    await state.click();
    await press(page, 'Close window');
    await page.getByText('window closed: templates only').waitFor();
    await pages.send(text);
    await bubble(page, 'Still there?').getByText('failed: 131047, the window of 24 hours is closed').waitFor();
    await press(page, 'Open window');
    await page.getByText(/window open for 2[34] h/).waitFor();
  });

  it('says that the world does not respond, and goes on when it is back', async ({ pages }) => {
    const contact = '5511900000111';
    const page = await pages.chat(contact);
    await page.route('**/stream', (route) => route.abort());
    await page.reload();
    const trouble = page.getByRole('alert').getByText('The local world does not respond.');
    await trouble.waitFor();
    await pages.send({ to: contact, type: 'text', text: { body: 'While you were away' } });
    await page.unroute('**/stream');
    await bubble(page, 'While you were away').waitFor();
    expect(await trouble.count()).toBe(0);
  });

  it('is with somebody who has only a username', async ({ pages }) => {
    const page = await pages.open('phone');
    await newContact(page);
    await page.getByLabel('has only a username').check();
    await page.getByLabel('Username', { exact: true }).fill('@maria.silva');
    await press(page, 'Open the chat');
    await page.getByText('You are @maria.silva').waitFor();
    await write(page, 'Who am I?');
    const { data } = await pages.service.simulate<{ data: InboxMessage[] }>('inbox');
    const recipient = data.find(({ content }) => content.body === 'Who am I?')?.contact;
    expect(recipient).toMatch(/^US\.\w+$/);
    await pages.send({ recipient, type: 'text', text: { body: 'You are Maria.' } });
    await bubble(page, 'You are Maria.').waitFor();
    await screenshot(page, 'username');
  });

  it('is with a new contact who has a phone number and a name', async ({ pages }) => {
    const page = await pages.open('phone');
    await newContact(page);
    await page.getByLabel('Phone number', { exact: true }).fill('+55 11 90000-0108');
    await page.getByLabel('Name', { exact: true }).fill('Ann Example');
    await press(page, 'Open the chat');
    await page.getByText('You are +5511900000108').waitFor();
    await write(page, 'It is me');
    const contacts = await pages.service.simulate<{ data: { id: string; name: string }[] }>('contacts');
    expect(contacts.data).toContainEqual(expect.objectContaining({ id: '5511900000108', name: 'Ann Example' }));
  });

  it('says what is wrong with a contact that is neither a phone number nor a username', async ({ pages }) => {
    const page = await pages.open('phone');
    await newContact(page);
    await page.getByLabel('Phone number', { exact: true }).fill('maria');
    await press(page, 'Open the chat');
    await page.getByRole('alert').getByText('A phone number has 7 to 15 digits').waitFor();
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

  it('does not draw its thousand messages anew for a key or another message', async ({ pages }) => {
    const contact = '5511900000110';
    const message = { contact, phone_number_id: talking.phone_number_id, type: 'text', context: null, read: false };
    const data = Array.from({ length: 1000 }, (_, i) => {
      const content = { body: `Message ${i} with some more words` };
      return { ...message, id: String(i), group_id: null, content, received_at: Date.now() - 1000 + i, typing: false };
    });
    const page = await pages.open();
    await page.route('**/simulator/inbox', (route) => route.fulfill({ json: { data: data.toReversed() } }));
    await page.goto(`${pages.url}/#/phone/${talking.phone_number_id}/${contact}`);
    await page.reload();
    await bubble(page, 'Message 999 ').waitFor();
    const field = page.getByLabel('Message', { exact: true });
    // Each message that is drawn shows its time.
    await page.evaluate(`
      window.drawn = 0;
      const { toLocaleTimeString } = Date.prototype;
      Date.prototype.toLocaleTimeString = function (...options) {
        window.drawn += 1;
        return toLocaleTimeString.apply(this, options);
      };
    `);
    await field.pressSequentially('So many words');
    expect(await page.evaluate('window.drawn')).toBeLessThan(50);
    // Playwright takes long to find a button by its role among those of a thousand messages.
    await press(page.locator('.composer'), 'Send');
    await bubble(page, 'So many words').waitFor();
    expect(await page.evaluate('window.drawn')).toBeLessThan(200);
  });
});
