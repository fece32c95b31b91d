// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is how Flow JSON writes dynamic values.
import { describe, expect, it } from 'vitest';
import {
  errorsOf,
  exampleData,
  examples,
  flow,
  flowWith,
  footer,
  type Json,
  navigateTo,
  pointedAt,
  screen,
  step,
  update,
  warningsOf,
} from '#support/flows/flow-json.ts';

const body = (text: unknown, others: Json[] = []) => flowWith([{ type: 'TextBody', text }, ...others]);
const surname = { type: 'TextInput', name: 'surname', label: 'Surname' };

describe('a dynamic value', () => {
  it.each([
    '${data.note}',
    '${data.person.name}',
    '${form.surname}',
    "`'Dear ' ${form.surname}`",
    '${data.person.other}',
  ])('may be %s in a text', (text) => {
    const codes = text.includes('other') ? ['INVALID_SCREEN_DYNAMIC_DATA'] : [];
    expect(errorsOf(body(text, [surname]))).toEqual(codes);
  });

  it.each([
    '${data.other}',
    '${data.__proto__}',
    '${data.constructor}',
    '${form.other}',
    '${form.form}',
    '${data.options.id}',
    '`${data.other}`',
    '${data.amount}',
    '${data.shown}',
    '`${data.amount} + 1`',
  ])('may not be %s in a text', (text) => {
    expect(pointedAt(body(text, [surname]))).toEqual([['INVALID_SCREEN_DYNAMIC_DATA', JSON.stringify(text)]]);
  });

  it.each(['${screen.MAIN.data.note}', '${screen.ROOT.data.note}', '`${screen.ROOT.form.name}`'])(
    'may not be %s, which refers to no other screen',
    (text) => {
      expect(pointedAt(body(text, [surname]))).toEqual([['INVALID_SCREEN_DATA', JSON.stringify(text)]]);
    },
  );

  it('may not point inside an array, on any screen', () => {
    const last = screen('LAST', [{ type: 'TextBody', text: '${screen.MAIN.data.options.title}' }]);
    const first = step('MAIN', [footer(navigateTo('LAST'))], { data: exampleData });
    expect(errorsOf(flow([first, last]))).toEqual(['INVALID_SCREEN_DYNAMIC_DATA']);
  });

  it.each(['`${data.note`', '`()`', '`${data.note} +`', '`${data.note} + 1`', '`1 + 2`'])(
    'may not be the invalid expression %s',
    (text) => {
      expect(pointedAt(body(text))).toContainEqual(['INVALID_PROPERTY_VALUE', JSON.stringify(text)]);
    },
  );

  it('may come from any other screen since 4.0', () => {
    const first = step('A', [surname, { type: 'TextBody', text: '${screen.B.form.city}' }, footer(navigateTo('B'))]);
    const second = screen('B', [
      { type: 'TextInput', name: 'city', label: 'City' },
      { type: 'TextBody', text: '${screen.A.form.surname}' },
    ]);
    expect(errorsOf(flow([first, second]))).toEqual([]);
  });

  it('must have the type of the property', () => {
    const visible = (value: unknown) => errorsOf(flowWith([{ type: 'TextBody', text: 'x', visible: value }]));
    expect(visible('${data.shown}')).toEqual([]);
    expect(visible("`${data.note} == 'x'`")).toEqual([]);
    expect(visible('${data.note}')).toEqual(['INVALID_SCREEN_DYNAMIC_DATA']);
    expect(visible('`${data.amount}`')).toEqual(['INVALID_SCREEN_DYNAMIC_DATA']);
    const source = (value: unknown) => errorsOf(flowWith([{ ...examples.Dropdown, 'data-source': value }]));
    expect(source('${data.note}')).toEqual(['INVALID_SCREEN_DYNAMIC_DATA']);
  });

  it.each([
    [{ id: { type: 'string' }, title: { type: 'string' } }, []],
    [{ id: { type: 'string' } }, ['INVALID_SCREEN_DYNAMIC_DATA']],
    [{ title: { type: 'string' } }, ['INVALID_SCREEN_DYNAMIC_DATA']],
    [{}, []],
  ])('is checked for options that are %j: %j', (properties, codes) => {
    const options = { type: 'array', items: { type: 'object', properties }, __example__: [] };
    const group = { type: 'CheckboxGroup', name: 'chosen', label: 'Choose', 'data-source': '${data.options}' };
    expect(errorsOf(flowWith([group], { data: { options } }))).toEqual(codes);
  });

  it('in a payload has an error code of its own', () => {
    const link = (payload: Json) =>
      errorsOf(flowWith([{ ...examples.EmbeddedLink, 'on-click-action': { name: 'data_exchange', payload } }]));
    expect(link({ note: '${data.other}' })).toEqual(['INVALID_ON_CLICK_ACTION_PAYLOAD']);
    expect(link({ note: ['${form.other}'] })).toEqual(['INVALID_ON_CLICK_ACTION_PAYLOAD']);
    const group = { ...examples.RadioButtonsGroup, 'on-select-action': update({ note: '${data.other}' }) };
    expect(errorsOf(flowWith([group]))).toEqual(['INVALID_ACTION_PAYLOAD_PROPERTY']);
  });

  it('that is only part of a text is not replaced, which leads to a warning', () => {
    expect([errorsOf(body('Dear ${data.note}')), warningsOf(body('Dear ${data.note}'))]).toEqual([
      [],
      ['INVALID_TEXT_DYNAMIC_DATA'],
    ]);
  });

  it('is checked in every property', () => {
    const options = [{ id: 'a', title: '${data.other}' }];
    expect(errorsOf(flowWith([{ ...examples.RadioButtonsGroup, 'data-source': options }]))).toEqual([
      'INVALID_SCREEN_DYNAMIC_DATA',
    ]);
    expect(errorsOf(flowWith([], { title: '${data.other}' }))).toEqual(['INVALID_SCREEN_DYNAMIC_DATA']);
  });
});

it('expressions are plain text before 6.0', () => {
  expect(errorsOf(flowWith([{ type: 'TextBody', text: '`()`' }], {}, '5.1'))).toEqual([]);
  expect(errorsOf(flowWith([{ type: 'TextBody', text: 'x', visible: '`true`' }], {}, '5.1'))).toEqual([
    'INVALID_PROPERTY_TYPE',
  ]);
});
