import { describe, expect, it } from 'vitest';
import { GraphError } from '../http/graph-errors.ts';
import { declarationSchema, Templates } from './templates.ts';

type Member = Record<string, unknown>;

const booked = {
  name: 'table_booked',
  language: 'en_US',
  components: [
    { type: 'HEADER', format: 'IMAGE' },
    { type: 'BODY', text: 'For {{1}} at {{2}}' },
    {
      type: 'BUTTONS',
      buttons: [
        { type: 'QUICK_REPLY', text: 'Thanks' },
        { type: 'URL', text: 'Change', url: 'https://example.com/{{1}}' },
      ],
    },
  ],
};
const named = {
  name: 'welcome',
  language: 'pt_BR',
  parameter_format: 'NAMED',
  components: [{ type: 'BODY', text: 'Olá, {{first_name}}!' }],
};
const otp = { name: 'code', language: 'en', components: [{ type: 'BUTTONS', buttons: [{ type: 'OTP' }] }] };

const templates = new Templates(new Map());
const orderForm = {
  name: 'order_form',
  language: 'en',
  components: [{ type: 'BUTTONS', buttons: [{ type: 'FLOW', flow_id: '1' }] }],
};
for (const each of [booked, named, otp, orderForm]) templates.declare(declarationSchema.parse(each));

const text = (value: string, rest: Member = {}) => ({ type: 'text', text: value, ...rest });
const header = (...parameters: Member[]) => ({ type: 'header', parameters });
const body = (...parameters: Member[]) => ({ type: 'BODY', parameters });
const button = (sub_type: string, index: number, ...parameters: Member[]) => ({
  type: 'button',
  sub_type,
  index,
  parameters,
});
const picture = { type: 'image', image: { link: 'https://example.com/a.png' } };

function errorOf(name: string, code: string, components?: Member[]): string | undefined {
  try {
    templates.assertFits({ name, language: { code }, ...(components && { components }) });
    return undefined;
  } catch (error) {
    if (!(error instanceof GraphError)) throw error;
    return `${error.body.code}: ${error.message}`;
  }
}

const fitting = [header(picture), body(text('Ana'), text('eight')), button('url', 1, text('x1'))];
const changed = (index: number, component: Member) => fitting.map((one, place) => (place === index ? component : one));

describe('a message with a declared template', () => {
  it('a message with a declared template passes if it fits', () => {
    expect(errorOf('table_booked', 'en_US', fitting)).toBeUndefined();
    expect(
      errorOf('table_booked', 'en_US', [...fitting, button('quick_reply', 0, { type: 'payload', payload: 'a' })]),
    ).toBeUndefined();
    expect(errorOf('welcome', 'pt_BR', [body(text('Ana', { parameter_name: 'first_name' }))])).toBeUndefined();
    expect(errorOf('code', 'en', [button('url', 0, text('123456'))])).toBeUndefined();
  });

  it.each<[string, Member[], string]>([
    [
      'too few parameters',
      changed(1, body(text('Ana'))),
      '132000: body: number of localizable_params (1) does not match the expected number of params (2)',
    ],
    [
      'too many parameters',
      changed(1, body(text('a'), text('b'), text('c'))),
      '132000: body: number of localizable_params (3)',
    ],
    [
      'another kind of header',
      changed(0, header(text('Hi'))),
      '132012: header: Format mismatch, expected IMAGE, received TEXT',
    ],
    ['no header', fitting.slice(1), '132012: header: Format mismatch, expected IMAGE, received UNKNOWN'],
    [
      'a picture in the body',
      changed(1, body(text('Ana'), picture)),
      '132012: body: Format mismatch, expected TEXT, received IMAGE',
    ],
    [
      'no parameter for its URL',
      fitting.slice(0, 2),
      '131008: buttons: Button at index 1 of type Url requires a parameter',
    ],
    [
      'another type of button',
      changed(2, button('url', 0, text('x'))),
      '132018: buttons: Button at index 0 must be of type QuickReply',
    ],
    [
      'a button too many',
      [...fitting, button('url', 2, text('x'))],
      '132018: buttons: Template has no button at index 2',
    ],
  ])('a message with a declared template is rejected with %s', (_, components, expected) => {
    expect(errorOf('table_booked', 'en_US', components)).toContain(expected);
  });

  it('is rejected with a header that the template does not have', () => {
    const components = [header(text('Hi')), body(text('Ana', { parameter_name: 'first_name' }))];
    expect(errorOf('welcome', 'pt_BR', components)).toContain(
      '132018: header: Template does not contain title component',
    );
  });

  it('is rejected without names of parameters, and with others', () => {
    expect(errorOf('welcome', 'pt_BR', [body(text('Ana'))])).toBe('100: Parameter name is missing or empty');
    const other = [body(text('Ana', { parameter_name: 'name' }))];
    expect(errorOf('welcome', 'pt_BR', other)).toContain('132018: body: Template has no parameter with the name name');
  });

  it('is rejected without the button of a Flow', () => {
    expect(errorOf('order_form', 'en', [])).toBe(
      '131009: buttons: Button at index 0 of type Flow requires a parameter',
    );
    expect(errorOf('order_form', 'en', [button('flow', 0)])).toBeUndefined();
  });

  it('is rejected in another language', () => {
    expect(errorOf('welcome', 'en')).toBe('132001: template name (welcome) does not exist in en');
  });
});

describe('a message with a template that nobody has declared', () => {
  it('passes in every language of Meta', () => {
    expect(errorOf('other', 'zh_HK', [body(text('a'))])).toBeUndefined();
    expect(errorOf('other', 'tlh')).toBe('132001: template name (other) does not exist in tlh');
  });
});

it('declarations can be removed', () => {
  const few = new Templates(new Map());
  few.declare(declarationSchema.parse(named));
  expect(few.all()).toHaveLength(1);
  few.clear();
  expect(few.all()).toEqual([]);
});
