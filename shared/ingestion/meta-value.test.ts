import { expect, it } from 'vitest';
import { valueWithItem, withoutLinks } from './meta-value.ts';

const link = 'https://lookaside.fbsbx.com/whatsapp_business/attachments/?mid=1';
const [ana, kerry] = [{ wa_id: '1' }, { wa_id: '2' }];
const metadata = { display_phone_number: '15550783881', phone_number_id: '106540352242922' };

it('has one item with its contact, and the other members in the order of the platform', () => {
  const item = { id: 'wamid.2', type: 'voice', voice: { id: '7' } };
  const errors = [{ code: 1, title: 'One', message: 'One', error_data: { details: 'more' } }];
  const value = {
    messaging_product: 'whatsapp',
    metadata,
    contacts: [ana, kerry],
    messages: [{ id: 'wamid.1' }, item],
    errors,
    conversation_context: { type: 'summary' },
    novelties: [1],
  };
  expect(JSON.stringify(valueWithItem(value, { list: 'messages', item, contact: kerry }))).toBe(
    JSON.stringify({
      messaging_product: 'whatsapp',
      metadata,
      contacts: [kerry],
      messages: [item],
      conversation_context: { type: 'summary' },
    }),
  );
  expect(valueWithItem(value, { list: 'errors', item: errors[0] ?? {} })).toEqual({
    messaging_product: 'whatsapp',
    metadata,
    errors,
    conversation_context: { type: 'summary' },
  });
});

it.each([
  ['of a message', { image: { id: '1', url: link, caption: 'x' } }, { image: { id: '1', caption: 'x' } }],
  ['without an id', { document: { link: 'https://cdn.example/1', filename: 'a' } }, { document: { filename: 'a' } }],
  [
    'of an edited message',
    { edit: { message: { video: { id: '1', url: 'https://a.example' } } } },
    { edit: { message: { video: { id: '1' } } } },
  ],
  ['of recordings', { call_recording: [{ id: '1', url: 'https://a.example' }] }, { call_recording: [{ id: '1' }] }],
  [
    'inside a recording',
    { call_recording: { media: { id: '1', url: 'https://a.example' } } },
    { call_recording: { media: { id: '1' } } },
  ],
  ['under a name that is new', { hologram: { id: '1', src: link } }, { hologram: { id: '1' } }],
  ['in a list', { hologram: { id: '1', parts: [link, 'a'] } }, { hologram: { id: '1', parts: ['a'] } }],
  ['in another spelling', { a: ` ${link}`, b: link.slice(6), c: link.replace('//', '//x@') }, {}],
])('leaves out links %s', (_, value, expected) => {
  expect(withoutLinks(value)).toEqual(expected);
});

it('leaves out what nests too deep to search', () => {
  const nested = Array.from({ length: 300 }).reduce((inner: unknown) => ({ inner }), { image: { id: '1', url: link } });
  expect(JSON.stringify(withoutLinks(nested))).not.toContain('lookaside');
});

it('keeps links that people sent', () => {
  const value = {
    text: { body: link },
    location: { url: 'https://maps.example' },
    contacts: [{ urls: [{ url: 'https://kerry.example' }] }],
    referral: { source_url: 'https://fb.me/x', image_url: 'https://scontent.xx.fbcdn.net/x' },
  };
  expect(withoutLinks(value)).toEqual(value);
});
