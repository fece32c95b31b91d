// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is how Flow JSON writes dynamic values.
import { describe, expect, it } from 'vitest';
import {
  errorsOf,
  exampleData,
  flow,
  footer,
  type Json,
  navigateTo,
  pointedAt,
  screen,
  step,
} from '#support/flows/flow-json.ts';

const inputs = [
  { type: 'TextInput', name: 'surname', label: 'Surname' },
  { type: 'TextInput', name: 'age', label: 'Age', 'input-type': 'number' },
  { type: 'OptIn', name: 'terms', label: 'Terms' },
];

/** From a screen with inputs and data to one that declares these fields. */
const leading = (action: Json, declared: Json) =>
  flow([step('A', [...inputs, footer(action)], { data: exampleData }), screen('B', [], { data: declared })]);
const string = { type: 'string', __example__: 'x' };
const number = { type: 'number', __example__: 1 };
const boolean = { type: 'boolean', __example__: true };
const list = { type: 'array', items: { type: 'string' }, __example__: [] };

describe('the next screen', () => {
  it('must exist in the Flow', () => {
    const found = pointedAt(flow([step('A', [footer(navigateTo('C'))]), screen('B')]));
    expect(found).toContainEqual(['INVALID_NAVIGATE_ACTION_NEXT_SCREEN_NAME', '"C"']);
  });

  it('the next screen must be another screen', () => {
    const found = pointedAt(flow([step('A', [footer(navigateTo('A'))]), screen('B')]));
    expect(found).toContainEqual(['INVALID_NAVIGATE_ACTION_NEXT_SCREEN_NAME', '"A"']);
  });
});

describe('the payload', () => {
  it.each([
    [{ name: '${form.surname}' }, { name: string }],
    [
      { name: 'Ada', many: 5, yes: true, all: ['x'] },
      { name: string, many: number, yes: boolean, all: list },
    ],
    [{ age: '${form.age}' }, { age: number }],
    [{ age: '${form.age}' }, { age: string }],
    [
      { yes: '${form.terms}', all: '${data.options}' },
      { yes: boolean, all: list },
    ],
    [
      { name: "`${form.surname} ' ' ${data.note}`", sum: '`${data.amount} + 1`' },
      { name: string, sum: number },
    ],
    [{}, {}],
  ])('%j fits the data of the next screen', (payload, declared) => {
    expect(pointedAt(leading(navigateTo('B', payload), declared))).toEqual([]);
  });

  it.each([
    [{ name: 'x', other: 1 }, { name: string }, 'INVALID_NAVIGATE_ACTION_PAYLOAD'],
    [{}, { name: string }, 'INVALID_NAVIGATE_ACTION_PAYLOAD'],
    [{ name: 5 }, { name: string }, 'INVALID_NAVIGATE_ACTION_STATIC_DATA'],
    [{ yes: 'true' }, { yes: boolean }, 'INVALID_NAVIGATE_ACTION_STATIC_DATA'],
    [{ name: null }, { name: string }, 'INVALID_NAVIGATE_ACTION_STATIC_DATA'],
    [{ yes: '${form.surname}' }, { yes: boolean }, 'INVALID_NAVIGATE_ACTION_PAYLOAD'],
    [{ name: '${data.amount}' }, { name: string }, 'INVALID_NAVIGATE_ACTION_PAYLOAD'],
    [{ name: '`${data.amount} + 1`' }, { name: string }, 'INVALID_NAVIGATE_ACTION_PAYLOAD'],
    [{ name: '${form.other}' }, { name: string }, 'INVALID_ON_CLICK_ACTION_PAYLOAD'],
    [{ name: '${data.other}' }, { name: string }, 'INVALID_ON_CLICK_ACTION_PAYLOAD'],
  ])('%j does not fit %j: %s', (payload, declared, code) => {
    expect(errorsOf(leading(navigateTo('B', payload), declared))).toEqual([code]);
  });

  it('is required if the next screen declares data', () => {
    const { payload: _, ...bare } = navigateTo('B');
    expect(errorsOf(leading(bare, { name: string }))).toEqual(['MISSING_NAVIGATION_ACTION_PAYLOAD']);
    expect(errorsOf(leading(bare, {}))).toEqual([]);
  });

  it('had no checked expressions before 7.2', () => {
    const json = leading(navigateTo('B', { name: '`${form.other}`' }), { name: string });
    expect(errorsOf({ ...json, version: '7.1' })).toEqual([]);
    expect(errorsOf({ ...json, version: '7.2' })).toEqual(['INVALID_ON_CLICK_ACTION_PAYLOAD']);
  });
});
