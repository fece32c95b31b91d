// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is how Flow JSON writes dynamic values.
import { describe, expect, it } from 'vitest';
import { examples } from '#support/flows/component-examples.ts';
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

describe('the actions of a Flow', () => {
  it('complete is allowed on a terminal screen only', () => {
    const json = flow([
      step('A', [footer(), { ...examples.EmbeddedLink, 'on-click-action': navigateTo('B') }]),
      screen('B'),
    ]);
    expect(pointedAt(json)).toEqual([['INVALID_COMPLETE_ACTION', '"complete"']]);
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
});

describe('navigate', () => {
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
});

describe('the payload of a media picker', () => {
  const photos = { ...examples.PhotoPicker, name: 'photos' };
  const list = { type: 'array', items: { type: 'string' }, __example__: [] };

  describe('uploaded files', () => {
    it.each(['complete', 'data_exchange'])('may be sent to the business with %s', (name) => {
      const end = footer({ name, payload: { photos: '${form.photos}', note: { about: ['photos'] } } });
      const endpoint = { data_api_version: '3.0', routing_model: { END: [] } };
      expect(pointedAt(flow([screen('END', [photos, end])], endpoint))).toEqual([]);
    });

    it.each([{ files: { photos: '${form.photos}' } }, { files: ['${form.photos}'] }])(
      'must be at the top level of the payload, not as in %j',
      (payload) => {
        const json = flow([screen('END', [photos, footer({ name: 'complete', payload })])]);
        expect(pointedAt(json)).toEqual([['INVALID_ON_CLICK_ACTION_PAYLOAD', '"${form.photos}"']]);
      },
    );

    it('may not be sent to another screen', () => {
      const begin = step('BEGIN', [photos, footer(navigateTo('END', { photos: '${form.photos}' }))]);
      const json = flow([begin, screen('END', [], { data: { photos: list } })]);
      expect(pointedAt(json)).toEqual([['INVALID_ON_CLICK_ACTION_PAYLOAD', '"${form.photos}"']]);
    });

    it('of several pickers, or several of one, lead to a warning in the final response', () => {
      const photo = { ...photos, 'max-uploaded-photos': 1 };
      const documents = { ...examples.DocumentPicker, 'max-uploaded-documents': 1 };
      const payload = { photos: '${form.photos}', documents: '${screen.BEGIN.form.documents}' };
      const sending = (first: Json, second: Json, sent: Json) =>
        flow([
          step('BEGIN', [second, footer(navigateTo('END'))]),
          screen('END', [first, footer({ name: 'complete', payload: sent })]),
        ]);
      const one = { photos: payload.photos };
      for (const [json, warnings] of [
        [sending(photo, documents, one), []],
        [sending(photo, documents, payload), ['INVALID_ON_CLICK_ACTION_PAYLOAD']],
        [sending({ ...photos, 'max-uploaded-photos': 2 }, documents, one), ['INVALID_ON_CLICK_ACTION_PAYLOAD']],
        [sending({ ...photos, 'max-uploaded-photos': undefined }, documents, one), ['INVALID_ON_CLICK_ACTION_PAYLOAD']],
      ] as const) {
        expect([errorsOf(json), warningsOf(json)]).toEqual([[], warnings]);
      }
    });

    it('of another screen are recognised by their name', () => {
      const end = footer({ name: 'complete', payload: { of: { photos: '${screen.BEGIN.form.photos}' } } });
      const json = flow([step('BEGIN', [photos, footer(navigateTo('END'))]), screen('END', [end])]);
      expect(pointedAt(json)).toEqual([['INVALID_ON_CLICK_ACTION_PAYLOAD', '"${screen.BEGIN.form.photos}"']]);
    });
  });
});
