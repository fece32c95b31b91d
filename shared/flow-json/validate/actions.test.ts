// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is how Flow JSON writes dynamic values.
import { describe, expect, it } from 'vitest';
import {
  errorsOf,
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
} from '#support/flows/flow-json.ts';

it('complete is allowed on a terminal screen only', () => {
  const json = flow([
    step('A', [footer(), { ...examples.EmbeddedLink, 'on-click-action': navigateTo('B') }]),
    screen('B'),
  ]);
  expect(pointedAt(json)).toEqual([['INVALID_COMPLETE_ACTION', '"complete"']]);
});

describe('before 4.0 a Footer outside the Form', () => {
  const form = (...children: Json[]) => ({ type: 'Form', name: 'form', children: [surname, ...children] });
  const end = (payload: Json) => footer({ name: 'complete', payload });
  const surname = { type: 'TextInput', name: 'surname', label: 'Surname' };

  it('cannot send inputs of the Form', () => {
    const json = flow([screen('A', [form(), end({ who: { name: '${form.surname}' } })])], { version: '3.1' });
    expect(pointedAt(json)).toEqual([['INVALID_FOOTER_PAYLOAD_OUTSIDE_FORM', '"${form.surname}"']]);
    expect(errorsOf({ ...json, version: '4.0' })).toEqual([]);
  });

  it('before 4.0 a Footer outside the Form can send anything else', () => {
    expect(errorsOf(flow([screen('A', [form(), end({ kind: 'x' })])], { version: '3.1' }))).toEqual([]);
  });

  it('can send inputs if it is inside the Form', () => {
    const layout = { type: 'SingleColumnLayout', children: [form(end({ name: '${form.surname}' }))] };
    expect(errorsOf(flow([screen('A', [], { layout })], { version: '3.1' }))).toEqual([]);
  });
});

it('a Footer on a terminal screen may not navigate', () => {
  const json = flow([screen('A', [footer(navigateTo('B'))]), screen('B')]);
  expect(pointedAt(json)).toEqual([['INVALID_PROPERTY_VALUE', '"navigate"']]);
});

it('a selection that calls the endpoint needs a payload', () => {
  const group = { ...examples.RadioButtonsGroup, 'on-select-action': { name: 'data_exchange' } };
  expect(errorsOf(flowWith([group]))).toEqual(['MISSING_REQUIRED_PROPERTY']);
});

describe('update_data', () => {
  const withUpdate = (payload: Record<string, unknown>) =>
    flowWith([{ ...examples.RadioButtonsGroup, 'on-select-action': update(payload) }]);

  it.each([
    { note: 'x', amount: 5, shown: false, options: [], person: {} },
    { note: '${form.colour}', shown: '`${data.amount} > 1`' },
  ])('with %j may change declared data', (payload) => {
    expect(pointedAt(withUpdate(payload))).toEqual([]);
  });

  it.each([
    { other: 1 },
    { note: 1 },
    { amount: '5' },
    { shown: null },
    { amount: '${form.colour}' },
    { note: '`${data.amount} + 1`' },
  ])('with %j is rejected because of its payload', (payload) => {
    expect(errorsOf(withUpdate(payload))).toEqual(['INVALID_UPDATE_DATA_ACTION_PAYLOAD']);
  });

  it('is checked for options too', () => {
    const group = {
      type: 'Dropdown',
      name: 'place',
      label: 'Place',
      'data-source': [{ id: 'a', title: 'A', 'on-select-action': update({ other: 1 }) }],
    };
    expect(errorsOf(flowWith([group]))).toEqual(['INVALID_UPDATE_DATA_ACTION_PAYLOAD']);
  });
});
