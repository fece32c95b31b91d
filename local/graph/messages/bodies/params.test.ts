import { describe, expect, it } from 'vitest';
import { GraphError } from '../../core/graph-errors.ts';
import { readContent, readRecipient } from './params.ts';

type Message = Record<string, unknown>;
type Member = Record<string, unknown>;

/** What Graph says of a message: the code and the words, or nothing. */
function errorOf(message: Message): string | undefined {
  try {
    readContent(new Map(Object.entries(message)));
    return undefined;
  } catch (error) {
    if (!(error instanceof GraphError)) throw error;
    return `${error.body.code}: ${error.message}`;
  }
}

const interactive = (type: string, action: Member, rest: Member = {}): Message => ({
  type: 'interactive',
  interactive: { type, body: { text: 'Pick' }, action, ...rest },
});
const image = { type: 'image', image: { link: 'https://example.com/a.png' } };
const row = (id: string, title = id) => ({ id, title });
const listOf = (sections: Member[], rest?: Member) => interactive('list', { button: 'Open', sections }, rest);
const buttons = (...replies: Member[]) =>
  interactive('button', { buttons: replies.map((reply) => ({ type: 'reply', reply })) });
const card = (card_index: number, rest: Member = {}) => ({
  card_index,
  header: image,
  action: { name: 'cta_url', parameters: { display_text: 'Buy', url: 'https://example.com' } },
  ...rest,
});
const replies = (...ids: string[]) => ({
  buttons: ids.map((id) => ({ type: 'quick_reply', quick_reply: { id, title: id } })),
});
const carousel = (cards: Member[], rest?: Member) => interactive('carousel', { cards }, rest);
const product = (card_index: number, catalog_id = '1') => ({
  card_index,
  type: 'product',
  action: { catalog_id, product_retailer_id: 'a' },
});
const sku = { product_retailer_id: 'a' };
const products = (sections: Member[], rest: Member = { header: { type: 'text', text: 'New' } }) =>
  interactive('product_list', { catalog_id: '1', sections }, rest);
const link = (url: string) => interactive('cta_url', { name: 'cta_url', parameters: { display_text: 'Go', url } });
const reaction = (emoji: unknown) => ({ type: 'reaction', reaction: { message_id: 'wamid.x', emoji } });
const template = (...components: Member[]) => ({
  type: 'template',
  template: { name: 'hi', language: { code: 'en' }, components },
});

describe('Graph accepts', () => {
  it.each<[string, Message]>([
    ['a list with one section without a title', listOf([{ rows: [row('a')] }])],
    ['a carousel with quick replies', carousel([card(0, { action: replies('a') }), card(1, { action: replies('a') })])],
    ['a carousel of products', carousel([product(0), product(1)])],
    ['a single product without a body', interactive('product', { catalog_id: '1', ...sku }, { body: undefined })],
    ['a catalog without parameters', interactive('catalog_message', { name: 'catalog_message' })],
    ['a call button without parameters', interactive('voice_call', { name: 'voice_call' })],
    ['a reaction of several code points', reaction('👩🏽‍🚀')],
    ['a flag as a reaction', reaction('🇧🇷')],
    ['the end of a reaction', reaction('')],
    ['a place in text', { type: 'location', location: { latitude: '-90', longitude: '180' } }],
    ['a voice message', { type: 'audio', audio: { link: 'https://example.com/a.ogg', voice: true } }],
    ['types of templates in capitals', template({ type: 'BUTTON', sub_type: 'CATALOG', index: '0' })],
    ['a call button of a template without an index', template({ type: 'button', sub_type: 'voice_call' })],
    ['the end of a pin', { type: 'pin', pin: { type: 'unpin', message_id: 'wamid.x' } }],
    ['members that nobody knows', { type: 'text', text: { body: 'Hi', sparkles: true } }],
  ])('%s', (_, message) => {
    expect(errorOf(message)).toBeUndefined();
  });
});

describe('Graph rejects', () => {
  it.each<[string, Message, string]>([
    ['a missing member', { type: 'text' }, '100: The parameter text is required.'],
    ['an empty text', { type: 'text', text: { body: '' } }, "100: The parameter text['body'] is required."],
    ['a text that is a number', { type: 'text', text: { body: 1 } }, "100: Param text['body'] must be a string."],
    [
      'a long text',
      { type: 'text', text: { body: 'x'.repeat(4097) } },
      "100: Param text['body'] must be at most 4096 characters long.",
    ],
    [
      'an unknown kind of interactive message',
      interactive('quiz', {}),
      `100: Param interactive['type'] must be one of {carousel, button,`,
    ],
    [
      'another action',
      interactive('request_contact_info', { name: 'flow' }),
      `100: Param interactive['action']['name'] must be one of {request_contact_info} - got "flow".`,
    ],
    [
      'a row without a title',
      listOf([{ rows: [row('a', '')] }]),
      "100: The parameter interactive['action']['sections'][0]['rows'][0]['title'] is required.",
    ],
    [
      'a picture as the header of a list',
      listOf([{ rows: [row('a')] }], { header: image }),
      `100: Param interactive['header']['type'] must be one of {text} - got "image".`,
    ],
    [
      'a header without what its type says',
      interactive('button', replies('a'), { header: { type: 'video' } }),
      "100: Param interactive['header']['video'] is required.",
    ],
    [
      'several sections without titles',
      listOf([{ title: 'A', rows: [row('a')] }, { rows: [row('b')] }]),
      "131009: Param interactive['action']['sections'][1]['title'] is required if there are several sections.",
    ],
    [
      'an empty section',
      listOf([{ rows: [] }]),
      "131009: Param interactive['action']['sections'][0]['rows'] is empty.",
    ],
    ['equal ids of rows', listOf([{ rows: [row('a', 'A'), row('a', 'B')] }]), '131009: .*two rows with the id "a"'],
    [
      'equal titles of rows',
      listOf([{ rows: [row('a', 'A'), row('b', 'A')] }]),
      '131009: .*two rows with the title "A"',
    ],
    ['equal ids of buttons', buttons(row('a', 'A'), row('a', 'B')), "131009: .*[1]['reply']['id'] is that of another"],
    [
      'equal titles of buttons',
      buttons(row('a', 'A'), row('b', 'A')),
      "131009: .*[1]['reply']['title'] is that of another",
    ],
    ['an id of a button with a space', buttons(row(' a', 'A')), '131009: .*without spaces before and after'],
    [
      'equal places of cards',
      carousel([card(0), card(0)]),
      "131009: .*['cards'][1]['card_index'] is that of another card",
    ],
    [
      'a card without a header',
      carousel([card(0), card(1, { header: undefined })]),
      "100: .*['cards'][1]['header'] is req",
    ],
    [
      'a card without an action',
      carousel([card(0), card(1, { action: undefined })]),
      "100: .*[1]['action'] is required.",
    ],
    [
      'a card with a text as header',
      carousel([card(0), card(1, { header: { type: 'text', text: 'A' } })]),
      '100: .*{image, vi',
    ],
    [
      'cards with other buttons',
      carousel([card(0), card(1, { action: replies('a') })]),
      '131009: .*like that of the first',
    ],
    ['cards of two catalogs', carousel([product(0), product(1, '2')]), '131009: .*like that of the first card'],
    [
      'a header of a carousel',
      carousel([card(0), card(1)], { header: image }),
      "100: .*['header'] is not allowed here.",
    ],
    [
      'a footer of a carousel',
      carousel([card(0), card(1)], { footer: { text: 'A' } }),
      "100: .*['footer'] is not allowed",
    ],
    ['products without a header', products([{ product_items: [sku] }], {}), "100: .*['header'] is required."],
    [
      'products under a picture',
      products([{ product_items: [sku] }], { header: image }),
      '100: .*must be one of {text}',
    ],
    ['a section without products', products([{ product_items: [] }]), "131009: .*['product_items'] is empty."],
    [
      'a header of a product',
      interactive('product', { catalog_id: '1', ...sku }, { header: { type: 'text', text: 'A' } }),
      "100: .*['header'] is not allowed here.",
    ],
    [
      'an address message without a country',
      interactive('address_message', { name: 'address_message', parameters: {} }),
      "100: The parameter interactive['action']['parameters']['country'] is required.",
    ],
    ['a link that is not a URL', link('Lucky Shrub'), "131009: .*['url'] has to be a URL."],
    ['a link to an app', link('mailto:a@example.com'), "131009: .*['url'] has to be a URL."],
    ['a reaction in words', reaction('nice'), "131009: Param reaction['emoji'] has to be one emoji."],
    ['a reaction with two emojis', reaction('👍👍'), "131009: Param reaction['emoji'] has to be one emoji."],
    [
      'a place that is not a number',
      { type: 'location', location: { latitude: 'N', longitude: 1 } },
      '131009: .*-90 to 90',
    ],
    [
      'media from two places',
      { type: 'image', image: { id: '1', link: 'https://a.b/c' } },
      '131009: .*either id or link',
    ],
    [
      'a contact without a name',
      { type: 'contacts', contacts: [{ name: {} }] },
      '100: .*formatted_name.* is required.',
    ],
    [
      'a birthday in words',
      { type: 'contacts', contacts: [{ name: { formatted_name: 'Ana' }, birthday: 'May' }] },
      '131009: .*YYYY-MM-DD',
    ],
    ['an unknown part of a template', template({ type: 'sparkles' }), '100: .*must be one of {BODY, BUTTON,'],
    [
      'an unknown button of a template',
      template({ type: 'button', sub_type: 'phone', index: 0 }),
      '100: .*BOOKING_CONF',
    ],
    [
      'a button of a template without an index',
      template({ type: 'button', sub_type: 'url' }),
      "131008: .*['index'] is req",
    ],
    [
      'a parameter without its value',
      template({ type: 'body', parameters: [{ type: 'text' }] }),
      "131008: .*['text'] is",
    ],
    [
      'a parameter with a line break',
      template({ type: 'body', parameters: [{ type: 'text', text: 'a\nb' }] }),
      '132018: .*cannot have new-line',
    ],
    [
      'a time to live without a category',
      { type: 'text', text: { body: 'Hi' }, ttl_seconds: 600 },
      '100: .*unsupported or misspelled parameters: ttl_seconds',
    ],
    [
      'a time to live of a template',
      { ...template(), category: 'utility', ttl_seconds: 600 },
      '100: .*unsupported or misspelled',
    ],
    [
      'a time to live as a text',
      { type: 'text', text: { body: 'Hi' }, category: 'utility', ttl_seconds: '600' },
      '100: .*as a number',
    ],
    [
      'a pin without an end',
      { type: 'pin', pin: { type: 'pin', message_id: 'wamid.x' } },
      "100: .*['expiration_days'] is",
    ],
  ])('%s', (_, message, expected) => {
    const [code = '', words = ''] = expected.split(/: (.*)/);
    const pattern = words.replace(/[[\]{}()^$|?\\]/g, '\\$&');
    expect(errorOf(message)).toMatch(new RegExp(`^${code}: ${pattern}`));
  });
});

describe('a recipient', () => {
  const recipient = (members: Message, prepended_calling_code: string | null = null) =>
    readRecipient(new Map(Object.entries(members)), { prepended_calling_code, wa_ids: 'as_sent' });

  it.each([
    ['+16315551234', '16315551234'],
    ['+1 (631) 555-1234', '16315551234'],
    ['(631) 555-1234', '916315551234'],
    ['16315551234', '9116315551234'],
  ])('without a plus sign gets the calling code of an Indian number: %s', (to, contact) => {
    expect(recipient({ to }, '91')).toEqual({ input: to, type: 'individual', contact });
  });

  it.each([
    ['+52 1 55 5555 0100', '525555550100'],
    ['+54 11 5555-0100', '5491155550100'],
    ['+55 31 98888-7777', '553188887777'],
    ['+55 11 98888-7777', '5511988887777'],
    ['+525555550100', '525555550100'],
    ['+5491155550100', '5491155550100'],
    ['+551133334444', '551133334444'],
    ['+16315551234', '16315551234'],
  ])('can have an id of the platform’s own form: %s', (to, contact) => {
    const params = new Map(Object.entries({ to }));
    expect(readRecipient(params, { prepended_calling_code: null, wa_ids: 'own' })).toMatchObject({
      input: to,
      contact,
    });
  });

  it('of the type group is not a phone number', () => {
    expect(recipient({ to: 'Y2FwaV9ncm91cDox', recipient_type: 'group' })).toMatchObject({ type: 'group' });
    expect(() => recipient({ to: '+55 11 98888-7777', recipient_type: 'group' })).toThrow(/id of a group/);
  });

  it('of the type individual is not a group', () => {
    expect(() => recipient({ to: 'Y2FwaV9ncm91cDox' })).toThrow(/has to be a phone number/);
  });
});
