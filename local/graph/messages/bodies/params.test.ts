import { describe, expect, it } from 'vitest';
import { GraphError } from '../../http/graph-errors.ts';
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

const x = (length: number) => 'x'.repeat(length);
const interactive = (type: string, action: Member | string, rest: Member = {}): Message => ({
  type: 'interactive',
  interactive: { type, body: { text: 'Pick' }, action, ...rest },
});
const buttons = (...titles: string[]) =>
  interactive('button', { buttons: titles.map((title, id) => ({ type: 'reply', reply: { id: `${id}`, title } })) });
const rows = (count: number) => Array.from({ length: count }, (_, id) => ({ id: `${id}`, title: `Row ${id}` }));
const listOf = (...counts: number[]) =>
  interactive('list', { button: 'Open', sections: counts.map((count) => ({ title: 'A', rows: rows(count) })) });
const link = (url: string) => interactive('cta_url', { name: 'cta_url', parameters: { display_text: 'Go', url } });
const reaction = (emoji: unknown) => ({ type: 'reaction', reaction: { message_id: 'wamid.x', emoji } });
const location = (latitude: unknown) => ({ type: 'location', location: { latitude, longitude: 1 } });
const parameter = (member: Member) => ({
  type: 'template',
  template: { name: 'hi', language: { code: 'en' }, components: [{ type: 'body', parameters: [member] }] },
});

describe('Graph accepts', () => {
  it.each<[string, Message]>([
    ['a text at its limit', { type: 'text', text: { body: x(4096) } }],
    ['a title of 20 characters of two units each', buttons('👍'.repeat(20))],
    ['three buttons', buttons('A', 'B', 'C')],
    ['ten rows in two sections', listOf(5, 5)],
    ['a reaction of several code points', reaction('👩🏽‍🚀')],
    ['the end of a reaction', reaction('')],
    ['a place in text', location('-90')],
    ['a call button without parameters', interactive('voice_call', { name: 'voice_call' })],
    ['a file without a text', { type: 'image', image: { id: '1', link: null, caption: '' } }],
    [
      'an action that is JSON in a text',
      interactive('button', '{"buttons": [{"type": "reply", "reply": {"id": "0", "title": "A"}}]}'),
    ],
    [
      'content that is JSON in a text',
      { type: 'contacts', contacts: '[{"name": {"formatted_name": "A", "first_name": "A"}}]' },
    ],
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
      { type: 'text', text: { body: x(4097) } },
      "100: Param text['body'] must be at most 4096 characters long.",
    ],
    [
      'a long title',
      buttons(x(21)),
      "131009: Param interactive['action']['buttons'][0]['reply']['title'] has to have at",
    ],
    [
      'a fourth button',
      buttons('A', 'B', 'C', 'D'),
      "131009: Param interactive['action']['buttons'] has to have 1 to 3",
    ],
    ['eleven rows', listOf(6, 5), "131009: Param interactive['action']['sections'] has more than 10 rows in total."],
    [
      'an unknown kind of interactive message',
      interactive('quiz', {}),
      "100: Param interactive['type'] must be one of {",
    ],
    [
      'another action',
      interactive('request_contact_info', { name: 'flow' }),
      `100: Param interactive['action']['name'] must be one of {request_contact_info} - got "flow".`,
    ],
    [
      'a link to an app',
      link('mailto:a@example.com'),
      "131009: Param interactive['action']['parameters']['url'] has to be a",
    ],
    ['a reaction in words', reaction('nice'), "131009: Param reaction['emoji'] has to be one emoji."],
    ['a place that is not a number', location('N'), "131009: Param location['latitude'] has to be -90 to 90."],
    [
      'media from two places',
      { type: 'image', image: { id: '1', link: 'https://a.b/c' } },
      '131009: Param image needs either id or link.',
    ],
    [
      'a contact without a name',
      { type: 'contacts', contacts: [{ name: {} }] },
      "100: The parameter contacts[0]['name']['formatted_name'] is required.",
    ],
    [
      'a parameter without its value',
      parameter({ type: 'text' }),
      "131008: Param template['components'][0]['parameters'][0]['text'] is required.",
    ],
    [
      'a parameter with a line break',
      parameter({ type: 'text', text: 'a\nb' }),
      "132018: Param template['components'][0]['parameters'][0]['text'] cannot have new-line",
    ],
  ])('%s', (_, message, expected) => {
    expect(errorOf(message)?.slice(0, expected.length)).toBe(expected);
  });
});

describe('a recipient', () => {
  const recipient = (members: Message) => readRecipient(new Map(Object.entries(members)));

  it('of the type group is not a phone number', () => {
    expect(recipient({ to: 'Y2FwaV9ncm91cDox', recipient_type: 'group' })).toMatchObject({ type: 'group' });
    expect(() => recipient({ to: '+55 11 98888-7777', recipient_type: 'group' })).toThrow(/id of a group/);
  });

  it('of the type individual is not a group', () => {
    expect(() => recipient({ to: 'Y2FwaV9ncm91cDox' })).toThrow(/has to be a phone number/);
  });
});
