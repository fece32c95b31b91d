// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is how Flow JSON writes dynamic values.
import { describe, expect, it } from 'vitest';
import {
  errorsOf,
  examples,
  flow,
  flowWith,
  ifElse,
  type Json,
  pointedAt,
  screen,
  step,
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

  it('may name its endpoint only in version 2.1', () => {
    const named = (data_channel_uri: unknown) => flow([screen('A')], { version: '2.1', data_channel_uri });
    expect(errorsOf(named('https://example.com'))).toEqual([]);
    expect(pointedAt(named('example'))).toEqual([['INVALID_PROPERTY_VALUE_FORMAT', '"example"']]);
    expect(pointedAt(named(5))).toEqual([['INVALID_PROPERTY_TYPE', '5']]);
  });

  it('may have meta since 5.1', () => {
    expect(errorsOf(flow([screen('A')], { version: '5.0', meta: {} }))).toEqual(['INVALID_PROPERTY_KEY']);
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
    ['DatePicker', 'min-date', '', [], []],
    ['TextInput', 'max-chars', 'many', ['PATTERN_MISMATCH'], []],
    ['TextInput', 'pattern', '[a-', ['INVALID_PROPERTY_VALUE_FORMAT'], []],
    ['TextInput', 'pattern', '(?=a)a', [], ['UNCHECKED_PATTERN']],
  ])('%s with %s %j: errors %j, warnings %j', (type, name, value, errors, warnings) => {
    const json = flowWith([{ ...examples[type], [name]: value }]);
    expect([errorsOf(json), warningsOf(json)]).toEqual([errors, warnings]);
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', 'example', '/terms'])('a link to %s is rejected', (url) => {
    const link = { ...examples.EmbeddedLink, 'on-click-action': { name: 'open_url', url } };
    expect(pointedAt(flowWith([link]))).toEqual([['INVALID_PROPERTY_VALUE_FORMAT', JSON.stringify(url)]]);
  });

  it('of dates were timestamps until 4.0', () => {
    const picker = { type: 'DatePicker', name: 'day', label: 'Day', 'min-date': '1767225600000' };
    const form = { type: 'Form', name: 'form', children: [picker] };
    expect(errorsOf(flowWith([form], {}, '4.0'))).toEqual([]);
    expect(errorsOf(flowWith([form], {}, '5.0'))).toEqual(['INVALID_PROPERTY_VALUE_FORMAT']);
    const later = { ...form, children: [{ ...picker, 'min-date': '2026-01-01' }] };
    expect(errorsOf(flowWith([later], {}, '4.0'))).toEqual(['INVALID_PROPERTY_VALUE_FORMAT']);
    expect(errorsOf(flowWith([later], {}, '5.0'))).toEqual([]);
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

  it('may complete a Flow from a Footer only', () => {
    expect(errorsOf(link({ name: 'complete', payload: {} }))).toEqual(['INVALID_ENUM_VALUE']);
  });
});

it('a Flow of several screens is valid', () => {
  const next = {
    type: 'Footer',
    label: 'Next',
    'on-click-action': {
      name: 'navigate',
      next: { type: 'screen', name: 'LAST' },
      payload: { name: '${form.surname}' },
    },
  };
  const first = step('FIRST', [{ type: 'TextInput', name: 'surname', label: 'Surname' }, next]);
  const last = screen('LAST', [{ type: 'TextBody', text: '${data.name}' }], {
    data: { name: { type: 'string', __example__: 'Ada' } },
  });
  expect(pointedAt(flow([first, last]))).toEqual([]);
});
