// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is how Flow JSON writes dynamic values.
import { describe, expect, it } from 'vitest';
import { examples, ifElse } from '#support/flows/component-examples.ts';
import {
  errorsOf,
  exampleData,
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

describe('the document', () => {
  it.each([
    ['screens', undefined, ['MISSING_REQUIRED_PROPERTY']],
    ['screens', {}, ['INVALID_PROPERTY_TYPE']],
    ['screens', [], ['MIN_ITEMS_REQUIRED']],
    ['screens', [screen('A'), 'B'], ['INVALID_PROPERTY_TYPE']],
    ['unknown', 1, ['INVALID_PROPERTY_KEY']],
    ['meta', {}, []],
    ['meta', 'x', ['INVALID_PROPERTY_TYPE']],
    ['data_channel_uri', 'https://example.com', ['INVALID_PROPERTY_KEY']],
    ['routing_model', [], ['INVALID_PROPERTY_TYPE']],
  ])('with %s %j has the errors %j', (name, value, codes) => {
    expect(errorsOf(flow([screen('A')], { [name]: value }))).toEqual(codes);
  });
});

describe('a screen', () => {
  it.each([
    [{ id: undefined }, 'MISSING_REQUIRED_PROPERTY'],
    [{ id: 1 }, 'INVALID_PROPERTY_TYPE'],
    [{ id: '' }, 'MIN_CHARS_REQUIRED'],
    [{ title: undefined }, 'MISSING_REQUIRED_PROPERTY'],
    [{ title: ' ' }, 'MIN_CHARS_REQUIRED'],
    [{ terminal: 'true' }, 'INVALID_PROPERTY_TYPE'],
    [{ layout: undefined }, 'MISSING_REQUIRED_PROPERTY'],
    [{ layout: {} }, 'MISSING_REQUIRED_PROPERTY'],
    [{ layout: { type: 'Grid', children: [examples.Footer] } }, 'INVALID_PROPERTY_VALUE'],
    [{ layout: 'Grid' }, 'INVALID_PROPERTY_VALUE'],
    [{ layout: { type: 'SingleColumnLayout', children: [examples.Footer], gap: 1 } }, 'INVALID_PROPERTY_KEY'],
    [{ colour: 'red' }, 'INVALID_PROPERTY_KEY'],
    [{ sensitive: 'surname' }, 'INVALID_PROPERTY_TYPE'],
  ])('with the properties %j is rejected: %s', (changes, code) => {
    expect(errorsOf(flow([screen('A', [], changes)]))).toContain(code);
  });

  it('may have a dynamic title', () => {
    expect(errorsOf(flowWith([], { title: '${data.note}' }))).toEqual([]);
  });
});

describe('a component', () => {
  it.each([
    ['Text', 'INVALID_PROPERTY_TYPE', '"Text"'],
    [{ text: 'x' }, 'MISSING_REQUIRED_TYPE_PROPERTY', '{"text":"x"}'],
    [{ type: 'Marquee' }, 'INVALID_PROPERTY_VALUE', '"Marquee"'],
    [{ type: 'toString' }, 'INVALID_PROPERTY_VALUE', '"toString"'],
    [{ type: 5 }, 'INVALID_PROPERTY_VALUE', '5'],
  ])('%j is rejected as a component', (component, code, text) => {
    expect(pointedAt(JSON.stringify(flowWith([component as Json])))).toEqual([[code, text]]);
  });

  it('is checked inside every other component', () => {
    const bad = { type: 'Marquee' };
    for (const around of [
      { type: 'Form', name: 'f', children: [bad] },
      ifElse([bad]),
      ifElse([examples.TextBody], [bad]),
      { ...examples.Switch, cases: { a: [bad] } },
    ]) {
      expect(pointedAt(flowWith([around]))).toEqual([['INVALID_PROPERTY_VALUE', '"Marquee"']]);
    }
  });
});

describe('an option', () => {
  const withOptions = (...options: unknown[]) => flowWith([{ ...examples.RadioButtonsGroup, 'data-source': options }]);

  it.each([
    [{ title: 'A' }, ['MISSING_REQUIRED_PROPERTY']],
    [{ id: 'a' }, ['MISSING_REQUIRED_PROPERTY']],
    [{ id: 'a', title: 'A', colour: 1 }, ['INVALID_PROPERTY_KEY']],
    [{ id: 'a', title: 'A', color: 'red' }, ['INVALID_PROPERTY_VALUE_FORMAT']],
    ['a', ['INVALID_PROPERTY_TYPE']],
    ['${data.person}', []],
  ])('%j as an option has the errors %j', (option, codes) => {
    expect(errorsOf(withOptions(option))).toEqual(codes);
  });

  it('with a title that phones cut off leads to a warning', () => {
    expect(warningsOf(withOptions({ id: 'a', title: 'x'.repeat(31) }))).toEqual(['TEXT_TOO_LONG']);
  });
});

describe('formats', () => {
  it.each([
    ['Image', 'src', 'https://example.com/a.png', [], ['INVALID_PROPERTY_VALUE_FORMAT']],
    ['DatePicker', 'min-date', '1.2.2026', ['INVALID_PROPERTY_VALUE_FORMAT'], []],
    ['DatePicker', 'min-date', '2026-02-30', ['INVALID_PROPERTY_VALUE_FORMAT'], []],
    ['DatePicker', 'min-date', '1767225600000', ['INVALID_PROPERTY_VALUE_FORMAT'], []],
    ['DatePicker', 'min-date', '', [], []],
    ['TextInput', 'max-chars', 'many', ['PATTERN_MISMATCH'], []],
  ])('%s with %s %j: errors %j, warnings %j', (type, name, value, errors, warnings) => {
    const json = flowWith([{ ...examples[type], [name]: value }]);
    expect([errorsOf(json), warningsOf(json)]).toEqual([errors, warnings]);
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', 'example', '/terms'])('a link to %s is rejected', (url) => {
    const link = { ...examples.EmbeddedLink, 'on-click-action': { name: 'open_url', url } };
    expect(pointedAt(flowWith([link]))).toEqual([['INVALID_PROPERTY_VALUE_FORMAT', JSON.stringify(url)]]);
  });

  it('of documents include those that phones upload', () => {
    const types = (...allowed: string[]) => flowWith([{ ...examples.DocumentPicker, 'allowed-mime-types': allowed }]);
    expect(errorsOf(types('application/pdf', 'image/heic'))).toEqual([]);
    expect(errorsOf(types('application/pdf', 'application/x-msdownload'))).toEqual(['INVALID_ENUM_VALUE']);
  });
});

describe('actions', () => {
  const link = (action: unknown) => flowWith([{ ...examples.EmbeddedLink, 'on-click-action': action }]);

  it.each([
    ['open_url', 'INVALID_PROPERTY_TYPE'],
    [{}, 'MISSING_REQUIRED_PROPERTY'],
    [{ name: 'data_exchange', next: {} }, 'INVALID_PROPERTY_KEY'],
    [{ name: 'open_url' }, 'MISSING_REQUIRED_PROPERTY'],
    [{ name: 'open_url', url: 'https://example.com', payload: {} }, 'INVALID_PROPERTY_KEY'],
    [{ name: 'navigate', payload: {} }, 'MISSING_REQUIRED_PROPERTY'],
    [{ name: 'navigate', next: { type: 'page', name: 'B' } }, 'INVALID_ENUM_VALUE'],
    [{ name: 'data_exchange', payload: [] }, 'INVALID_PROPERTY_TYPE'],
  ])('%j as an action is rejected: %s', (action, code) => {
    expect(errorsOf(link(action))).toContain(code);
  });

  it('may open links since 6.0', () => {
    const json = { ...link({ name: 'open_url', url: 'https://example.com' }), version: '5.1' };
    expect(errorsOf(json)).toEqual(['INVALID_ENUM_VALUE']);
  });
});

describe('the data of a screen', () => {
  const withField = (schema: unknown, name = 'field') => flowWith([], { data: { ...exampleData, [name]: schema } });

  it.each([
    { type: 'string', __example__: '' },
    { type: 'integer', __example__: 5 },
    { type: 'array', items: { type: 'array', items: { type: 'number' } }, __example__: [[1], []] },
    { type: 'object', __example__: { any: 1 } },
    { type: 'object', properties: { a: { type: 'object', properties: {} } }, __example__: {} },
    { type: 'string', enum: ['a'], __example__: 'a' },
  ])('%j is a valid schema', (schema) => {
    expect(errorsOf(withField(schema))).toEqual([]);
  });

  it.each([
    'string',
    null,
    {},
    { type: 'string' },
    { __example__: 'x' },
    { type: 'null', __example__: null },
    { type: ['string'], __example__: 'x' },
    { type: 'date', __example__: 'x' },
    { type: 'array', __example__: [] },
    { type: 'string', __example__: 5 },
    { type: 'number', __example__: '5' },
    { type: 'boolean', __example__: null },
    { type: 'array', items: { type: 'string' }, __example__: [5] },
    { type: 'array', items: { type: 'string', __example__: 'x' }, __example__: [] },
    { type: 'object', properties: { a: { type: 'string' } }, __example__: { a: 5 } },
    { type: 'object', properties: { a: { type: 'text' } }, __example__: {} },
  ])('%j is not a valid schema', (schema) => {
    expect(errorsOf(withField(schema))).toEqual(['INVALID_SCREEN_DATA']);
  });

  it.each(['a-b', 'a b', "a'b", 'a"b', 'a`b'])('%j is not a valid name', (name) => {
    expect(pointedAt(withField({ type: 'string', __example__: '' }, name))).toEqual([
      ['PROPERTY_NAME_MISMATCH', JSON.stringify(name)],
    ]);
  });
});

describe('references to data', () => {
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
});
