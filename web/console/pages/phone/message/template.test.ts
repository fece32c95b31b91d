import { describe, expect, it } from 'vitest';
import type { Template } from '#local/console/console-values.ts';
import { shownTemplate } from './template.ts';

const text = (value: string) => ({ type: 'text', text: value });
const message = (components: object[]) => ({ name: 'offer', language: { code: 'en' }, components });
const declared = (components: object[]) =>
  new Map([['offer en', { name: 'offer', language: 'en', components } as unknown as Template]]);

describe('a template in the chat', () => {
  it('fills in the words of a declared template, and the addresses and payloads of its buttons', () => {
    const templates = declared([
      { type: 'HEADER', format: 'TEXT', text: 'Order {{1}}' },
      { type: 'BODY', text: 'Hi {{1}}, it costs {{2}}.' },
      { type: 'FOOTER', text: 'Acme' },
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'QUICK_REPLY', text: 'Stop' },
          { type: 'URL', text: 'Track', url: 'https://example.com/{{1}}' },
          { type: 'PHONE_NUMBER', text: 'Call', phone_number: '+15550001' },
        ],
      },
    ]);
    const price = { type: 'currency', currency: { fallback_value: '$5', code: 'USD', amount_1000: 5000 } };
    const content = message([
      { type: 'header', parameters: [text('42')] },
      { type: 'body', parameters: [text('Ann'), price] },
      { type: 'button', sub_type: 'quick_reply', index: '0', parameters: [{ type: 'payload', payload: 'stop-42' }] },
      { type: 'button', sub_type: 'url', index: 1, parameters: [text('abc')] },
    ]);
    expect(shownTemplate(content, templates)).toMatchObject({
      header: { type: 'text', content: { body: 'Order 42' } },
      body: 'Hi Ann, it costs $5.',
      footer: 'Acme',
      taps: [
        { kind: 'event', label: 'Stop', event: { type: 'button', button: { payload: 'stop-42', text: 'Stop' } } },
        { kind: 'link', label: 'Track', url: 'https://example.com/abc' },
        { kind: 'link', label: 'Call', url: 'tel:+15550001' },
      ],
    });
  });

  it('fills in named variables, and leaves one that is missing to be seen', () => {
    const templates = declared([{ type: 'BODY', text: '{{name}} owes {{sum}}' }]);
    const parameters = [{ type: 'text', parameter_name: 'name', text: 'Ann' }];
    expect(shownTemplate(message([{ type: 'body', parameters }]), templates).body).toBe('Ann owes {{sum}}');
  });

  it('shows a one-time password in the words of the platform, and its code to copy', () => {
    const templates = declared([
      { type: 'BODY', add_security_recommendation: true },
      { type: 'FOOTER', code_expiration_minutes: 5 },
      { type: 'BUTTONS', buttons: [{ type: 'OTP', text: 'Copy it' }] },
    ]);
    const content = message([
      { type: 'body', parameters: [text('4711')] },
      { type: 'button', sub_type: 'url', index: '0', parameters: [text('4711')] },
    ]);
    expect(shownTemplate(content, templates)).toMatchObject({
      body: '*4711* is your verification code. For your security, do not share this code.',
      footer: 'This code expires in 5 minutes.',
      taps: [{ kind: 'copy', label: 'Copy it', text: '4711' }],
    });
  });

  it('offers to open the Flow that a declared template names', () => {
    const templates = declared([{ type: 'BUTTONS', buttons: [{ type: 'FLOW', text: 'Book', flow_id: '1' }] }]);
    const button = { type: 'button', sub_type: 'flow', index: '0', parameters: [] };
    expect(shownTemplate(message([button]), templates).taps).toEqual([
      { kind: 'act', label: 'Book', act: 'open flow' },
    ]);
  });

  it('says how to open the Flow of a template that is not declared', () => {
    const button = { type: 'button', sub_type: 'flow', index: '0', parameters: [] };
    expect(shownTemplate(message([button]), new Map()).taps).toEqual([
      { kind: 'none', label: 'Button 1', why: expect.stringContaining('Declare the template') },
    ]);
  });

  it('shows a limited-time offer with its end and its code', () => {
    const templates = declared([
      { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Ends soon' } },
      { type: 'BODY', text: 'Cheap' },
      { type: 'BUTTONS', buttons: [{ type: 'COPY_CODE' }] },
    ]);
    const offer = { type: 'limited_time_offer', limited_time_offer: { expiration_time_ms: 1_795_000_000_000 } };
    const code = { type: 'coupon_code', coupon_code: 'A1' };
    const shown = shownTemplate(
      message([
        { type: 'limited_time_offer', parameters: [offer] },
        { type: 'button', sub_type: 'copy_code', index: 0, parameters: [code] },
      ]),
      templates,
    );
    expect(shown.lines).toEqual([['Ends soon', expect.stringMatching(/^until .*2026/)]]);
    expect(shown.taps).toEqual([{ kind: 'copy', label: 'Copy offer code', text: 'A1' }]);
  });

  it('shows the cards of a carousel, each filled in', () => {
    const card = (body: string) => ({ components: [{ type: 'BODY', text: body }] });
    const templates = declared([
      { type: 'BODY', text: 'Rooms' },
      { type: 'CAROUSEL', cards: [card('One for {{1}}'), card('Two')] },
    ]);
    const cards = [
      { card_index: 1, components: [] },
      { card_index: 0, components: [{ type: 'body', parameters: [text('$9')] }] },
    ];
    const { cards: shown } = shownTemplate(message([{ type: 'carousel', cards }]), templates);
    expect(shown?.map(({ body }) => body)).toEqual(['Two', 'One for $9']);
  });

  it('shows what a template that was not declared fills in, and how to see its words', () => {
    const image = { link: 'https://example.com/a.jpg' };
    const content = message([
      { type: 'header', parameters: [{ type: 'image', image }] },
      { type: 'body', parameters: [text('Ann'), text('42')] },
      { type: 'button', sub_type: 'quick_reply', index: '0', parameters: [{ type: 'payload', payload: 'stop' }] },
    ]);
    expect(shownTemplate(content, new Map())).toMatchObject({
      header: { type: 'image', content: image },
      body: 'Ann · 42',
      taps: [{ kind: 'event', label: 'Button 1', event: { button: { payload: 'stop' } } }],
      declaration: {
        name: 'offer',
        language: 'en',
        components: [
          { type: 'HEADER', format: 'IMAGE' },
          { type: 'BODY', text: expect.stringMatching(/\{\{1\}\} \{\{2\}\}$/) },
          { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'Button 1' }] },
        ],
      },
    });
  });
});

it('shows hello_world, which every account has, without a declaration', () => {
  const shown = shownTemplate({ name: 'hello_world', language: { code: 'en_US' } }, new Map());
  expect(shown).toMatchObject({ footer: 'WhatsApp Business Platform sample message' });
  expect(shown).not.toHaveProperty('note');
});
