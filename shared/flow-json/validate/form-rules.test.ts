// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is how Flow JSON writes dynamic values.
import { describe, expect, it } from 'vitest';
import { examples, ifElse } from '#support/flows/component-examples.ts';
import { errorsOf, flowWith, footer, type Json, pointedAt, warningsOf } from '#support/flows/flow-json.ts';

const withCondition = (condition: string) =>
  flowWith([
    { ...examples.If, condition },
    { type: 'OptIn', name: 'terms', label: 'Terms' },
    { type: 'TextInput', name: 'age', label: 'Age', 'input-type': 'number' },
  ]);
const bare = (...children: unknown[]) => flowWith([], { layout: { type: 'SingleColumnLayout', children } });

describe('the condition of an If', () => {
  it.each([
    '${data.shown}',
    '!${data.shown}',
    '${form.terms}',
    '${data.amount} > 5',
    '${form.age} >= 18',
    "${data.note} == 'x' || (${data.amount} % 2 == 0 && !${data.shown})",
    "${data.person.name} != ''",
    'false == ${data.shown}',
  ])('may be the expression %s', (condition) => {
    expect(pointedAt(withCondition(condition))).toEqual([]);
  });

  it.each([
    'true',
    '1 == 1',
    '${data.note}',
    '${data.amount} + 1',
    "${data.amount} == 'x'",
    "${data.note} > 'a'",
    '${data.shown} && ${data.note}',
    '()',
    '(${data.shown}',
    '${data.shown} &&',
    '${data.shown} & true',
    '`${data.shown}`',
    '${data.shown} && 1 == 1',
    '${}',
    '"x" == ${data.note}',
  ])('may not be the expression %s', (condition) => {
    expect(pointedAt(withCondition(condition))).toContainEqual(['INVALID_PROPERTY_VALUE', JSON.stringify(condition)]);
  });

  it('refers to existing data and inputs only', () => {
    for (const [condition, code] of [
      ['${data.other}', 'INVALID_SCREEN_DYNAMIC_DATA'],
      ['${form.other}', 'INVALID_SCREEN_DYNAMIC_DATA'],
      ['${screen.OTHER.form.terms}', 'INVALID_SCREEN_DATA'],
      ['${screen.MAIN.form.terms}', 'INVALID_SCREEN_DATA'],
    ] as const) {
      expect(pointedAt(withCondition(condition))).toEqual([[code, JSON.stringify(condition)]]);
    }
  });

  it('the condition of an If may not be blank', () => {
    expect(errorsOf(withCondition(''))).toContain('MIN_CHARS_REQUIRED');
  });
});

describe('an If', () => {
  const nested = (depth: number): Json => (depth === 0 ? { type: 'TextBody', text: 'x' } : ifElse([nested(depth - 1)]));

  it('may be nested three levels deep and no deeper', () => {
    expect(errorsOf(flowWith([nested(3)]))).toEqual([]);
    expect(errorsOf(flowWith([nested(4)]))).toEqual(['MAXIMUM_IF_NESTING']);
    expect(errorsOf(flowWith([nested(5)]))).toEqual(['MAXIMUM_IF_NESTING']);
  });

  it('an If requires something to show', () => {
    expect(errorsOf(flowWith([ifElse([])]))).toEqual(['INVALID_PROPERTY_VALUE']);
  });

  it('has a Footer in both branches or in none', () => {
    expect(errorsOf(bare(ifElse([footer()], [footer()])))).toEqual([]);
    expect(errorsOf(bare(ifElse([footer()], [examples.TextBody])))).toEqual(['MISSING_FOOTER_IN_IF_ELSE_BRANCHES']);
    expect(errorsOf(bare(ifElse([footer()])))).toEqual(['MISSING_FOOTER_IN_IF_ELSE_BRANCHES']);
  });
});

describe('a Switch', () => {
  it('a Switch requires cases with names', () => {
    expect(errorsOf(flowWith([{ ...examples.Switch, cases: {} }]))).toEqual(['EMPTY_SWITCH_CASES']);
    const named = (name: string) => flowWith([{ ...examples.Switch, cases: { [name]: [] } }]);
    expect(errorsOf(named('a-1_B'))).toEqual([]);
    expect(pointedAt(named('1st'))).toEqual([['PROPERTY_NAME_MISMATCH', '"1st"']]);
    expect([errorsOf(named('default')), warningsOf(named('default'))]).toEqual([[], []]);
  });

  it('a Switch requires a dynamic value', () => {
    expect(errorsOf(flowWith([{ ...examples.Switch, value: 'yes' }]))).toEqual(['INVALID_PROPERTY_VALUE']);
    expect(errorsOf(flowWith([{ ...examples.Switch, value: '${data.other}' }]))).toEqual([
      'INVALID_SCREEN_DYNAMIC_DATA',
    ]);
  });

  it('has a Footer in all cases or in none', () => {
    const cases = { a: [footer()], b: [examples.TextBody] };
    expect(errorsOf(bare({ ...examples.Switch, cases }))).toEqual(['MISSING_FOOTER_IN_SWITCH_BRANCHES']);
  });
});

describe('a Form', () => {
  const children = [
    { type: 'TextInput', name: 'city', label: 'City' },
    { type: 'CheckboxGroup', name: 'tags', label: 'Tags', 'data-source': '${data.options}' },
    { type: 'OptIn', name: 'terms', label: 'Terms' },
    examples.PhotoPicker,
  ];
  const form = (changes: Json) =>
    flowWith([{ ...examples.Form, children, 'init-values': undefined, 'error-messages': undefined, ...changes }]);

  it.each([
    { city: 'Turin', tags: ['a'], terms: true },
    { city: '${data.note}', tags: '${data.options}' },
    '${data.person}',
  ])('accepts the initial values %j', (values) => {
    expect(pointedAt(form({ 'init-values': values }))).toEqual([]);
  });

  it.each([
    [{ other: 1 }, 'INVALID_PROPERTY_VALUE'],
    [{ city: true }, 'INVALID_PROPERTY_TYPE'],
    [{ tags: 'a' }, 'INVALID_PROPERTY_TYPE'],
    [{ terms: 'yes' }, 'INVALID_PROPERTY_TYPE'],
    [{ photos: [] }, 'NATIVE_COMPONENT_IN_FORM_INIT_VALUES'],
  ])('rejects the initial values %j', (values, code) => {
    expect(errorsOf(form({ 'init-values': values }))).toEqual([code]);
  });

  it('has had typed initial values since 7.0', () => {
    expect(errorsOf({ ...form({ 'init-values': { city: true } }), version: '6.3' })).toEqual([]);
  });

  it('may have error messages for its own inputs only', () => {
    expect(errorsOf(form({ 'error-messages': { city: 'No' } }))).toEqual([]);
    expect(errorsOf(form({ 'error-messages': { other: 'No' } }))).toEqual(['INVALID_PROPERTY_VALUE']);
  });

  it.each(['init-value', 'error-message'])('rejects an input that has %s of its own', (name) => {
    const input = { type: 'TextInput', name: 'city', label: 'City', [name]: 'x' };
    expect(errorsOf(form({ children: [input] }))).toEqual(['INVALID_PROPERTY_KEY']);
    expect(errorsOf(flowWith([input]))).toEqual([]);
  });
});
