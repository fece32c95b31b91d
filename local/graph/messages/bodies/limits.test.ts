import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { MediaKind } from '../../media/kinds.ts';
import { storedFile } from '../../media/media.ts';
import { isSendable } from '../sent-media.ts';
import { type Limit, type LimitName, limitPages, limits, phraseOf } from './limits.ts';
import { readContent } from './params.ts';

type Message = Record<string, unknown>;

const x = (length: number) => 'x'.repeat(length);
const many = <Item>(length: number, item: (index: number) => Item) => Array.from({ length }, (_, index) => item(index));
const interactive = (type: string, action: object, rest: object = {}): Message => ({
  type: 'interactive',
  interactive: { type, body: { text: 'Pick' }, action, ...rest },
});

const button = (reply: object = {}) => ({ type: 'reply', reply: { id: 'a', title: 'A', ...reply } });
const buttons = (list: object[] = [button()], rest?: object) => interactive('button', { buttons: list }, rest);
const row = (index: number, rest: object = {}) => ({ id: `${index}`, title: `Row ${index}`, ...rest });
const listOf = (sections: object[], rest?: object) => interactive('list', { button: 'Open', sections }, rest);
const rows = (rest: object) => listOf([{ rows: [row(1, rest)] }]);
const items = (count: number) => many(count, (index) => ({ product_retailer_id: `${index}` }));
const products = (sections: object[]) =>
  interactive('product_list', { catalog_id: '1', sections }, { header: { type: 'text', text: 'New' } });
const card = (card_index: number, rest: object = {}) => ({
  card_index,
  type: 'cta_url',
  header: { type: 'image', image: { link: 'https://example.com/a.png' } },
  action: { name: 'cta_url', parameters: { display_text: 'Buy', url: 'https://example.com' } },
  ...rest,
});
const cards = (...list: object[]) => interactive('carousel', { cards: list });
const quickReply = (reply: object) => ({
  action: { buttons: [{ type: 'quick_reply', quick_reply: { id: 'a', title: 'A', ...reply } }] },
});
const callButton = (parameters: object) => interactive('voice_call', { name: 'voice_call', parameters });
const location = (place: object) => ({ type: 'location', location: { latitude: 0, longitude: 0, ...place } });
const templateWith = (component: object) => ({
  type: 'template',
  template: { name: 'hi', language: { code: 'en' }, components: [component] },
});

/** A message with so much of what a limit is for. */
const messages: Record<Exclude<LimitName, `${string}Size`>, (size: number) => Message> = {
  text: (size) => ({ type: 'text', text: { body: x(size) } }),
  caption: (size) => ({ type: 'image', image: { link: 'https://example.com/a.png', caption: x(size) } }),
  body: (size) => buttons([button()], { body: { text: x(size) } }),
  header: (size) => buttons([button()], { header: { type: 'text', text: x(size) } }),
  footer: (size) => buttons([button()], { footer: { text: x(size) } }),
  buttons: (size) => buttons(many(size, (index) => button({ id: `${index}`, title: `${index}` }))),
  buttonId: (size) => buttons([button({ id: x(size) })]),
  buttonTitle: (size) => buttons([button({ title: x(size) })]),
  listBody: (size) => listOf([{ rows: [row(1)] }], { body: { text: x(size) } }),
  listButton: (size) => interactive('list', { button: x(size), sections: [{ rows: [row(1)] }] }),
  sections: (size) => listOf(many(size, (index) => ({ title: `${index}`, rows: [row(index)] }))),
  sectionTitle: (size) => listOf([{ title: x(size), rows: [row(1)] }]),
  rows: (size) => {
    const half = Math.ceil(size / 2);
    const first = { title: 'A', rows: many(half, row) };
    const second = { title: 'B', rows: many(size - half, (index) => row(half + index)) };
    return listOf(size < 2 ? [first] : [first, second]);
  },
  rowId: (size) => rows({ id: x(size) }),
  rowTitle: (size) => rows({ title: x(size) }),
  rowDescription: (size) => rows({ description: x(size) }),
  urlButtonText: (size) =>
    interactive('cta_url', { name: 'cta_url', parameters: { display_text: x(size), url: 'https://example.com' } }),
  flowButtonText: (size) =>
    interactive('flow', { name: 'flow', parameters: { flow_message_version: '3', flow_id: '1', flow_cta: x(size) } }),
  callButtonText: (size) => callButton({ display_text: x(size) }),
  callButtonMinutes: (size) => callButton({ ttl_minutes: size }),
  callButtonPayload: (size) => callButton({ payload: x(size) }),
  pinCode: (size) =>
    interactive('address_message', {
      name: 'address_message',
      parameters: { country: 'IN', values: { in_pin_code: x(size) } },
    }),
  products: (size) => products([{ product_items: items(size) }]),
  productSections: (size) => products(many(size, (index) => ({ title: `${index}`, product_items: items(1) }))),
  cards: (size) => cards(...many(size, (index) => card(index))),
  cardIndex: (size) => cards(card(size), card(5)),
  cardBody: (size) => cards(card(0, { body: { text: x(size) } }), card(1)),
  cardLines: (size) => cards(card(0, { body: { text: '\n'.repeat(size) } }), card(1)),
  cardButtonText: (size) => cards(card(0, quickReply({ title: x(size) })), card(1, quickReply({}))),
  cardReplyId: (size) => cards(card(0, quickReply({ id: x(size) })), card(1, quickReply({}))),
  contacts: (size) => ({ type: 'contacts', contacts: many(size, () => ({ name: { formatted_name: 'Ana' } })) }),
  latitude: (latitude) => location({ latitude }),
  longitude: (longitude) => location({ longitude }),
  pinDays: (size) => ({ type: 'pin', pin: { type: 'pin', message_id: 'wamid.x', expiration_days: size } }),
  templateButton: (index) => templateWith({ type: 'button', sub_type: 'url', index }),
  utilitySeconds: (ttl_seconds) => ({ type: 'text', text: { body: 'Hi' }, category: 'utility', ttl_seconds }),
  authenticationSeconds: (ttl_seconds) => ({
    type: 'text',
    text: { body: 'Hi' },
    category: 'authentication',
    ttl_seconds,
  }),
  callbackData: (size) => ({ type: 'text', text: { body: 'Hi' }, biz_opaque_callback_data: x(size) }),
};

const sizes = {
  imageSize: 'image',
  audioSize: 'audio',
  videoSize: 'video',
  documentSize: 'document',
  stickerSize: 'sticker',
};
const mimeTypes: Record<string, string> = {
  image: 'image/png',
  audio: 'audio/ogg; codecs=opus',
  video: 'video/mp4',
  document: 'application/pdf',
  sticker: 'image/webp',
};

const read = (message: Message) => readContent(new Map(Object.entries(message)));
const beyond = (name: string, { min, max }: Limit) => [
  [name, max, max + 1] as const,
  ...(min === undefined ? [] : [[name, min, min - 1] as const]),
];

describe('the limit', () => {
  const ofMessages = Object.keys(messages) as (keyof typeof messages)[];

  it.each(ofMessages.flatMap((name) => beyond(name, limits[name])))('%s allows %d, and not %d', (name, last, next) => {
    const message = messages[name as keyof typeof messages];
    expect(() => read(message(last))).not.toThrow();
    expect(() => read(message(next))).toThrow();
  });

  it.each(Object.entries(sizes) as [keyof typeof sizes, MediaKind][])(
    '%s is for files that are sent as %s',
    (name, kind) => {
      const isSent = (size: number) => {
        const file = { id: '1', phone_number_id: '2', mime_type: mimeTypes[kind] ?? '', bytes: Buffer.of(), now: 0 };
        return isSendable({ kind, media: { ...storedFile(file), content: { size, seed: '' } } });
      };
      expect([isSent(limits[name].max), isSent(limits[name].max + 1)]).toEqual([true, false]);
    },
  );

  it('counts characters, not the units of their encoding', () => {
    expect(() => read(messages.buttonTitle(1))).not.toThrow();
    expect(() => read(buttons([button({ title: '👍'.repeat(20) })]))).not.toThrow();
    expect(() => read(buttons([button({ title: '👍'.repeat(21) })]))).toThrow(/at most 20/);
  });
});

it('docs/simulated-upstream.md lists the limits with their pages', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/simulated-upstream.md'), 'utf8');
  const table = (Object.keys(limits) as LimitName[]).map((name) => {
    const { of, page: source }: Limit = limits[name];
    return `| ${of} | ${phraseOf(name)} | ${source === '' ? '–' : `[${source.split('/').at(-1)}](${limitPages}${source})`} |`;
  });
  expect(page).toContain(["| Of | Limit | Meta's page |", '| --- | --- | --- |', ...table, ''].join('\n'));
});
