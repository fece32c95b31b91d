// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is how Flow JSON writes dynamic values.
import { describe, expect, it } from 'vitest';
import { examples, flowAround } from '#support/flows/component-examples.ts';
import { errorsOf, exampleData, exchange, type Json, warningsOf } from '#support/flows/flow-json.ts';

const withProperties = (type: string, changes: Json) => flowAround({ ...examples[type], ...changes });
const codes = (type: string, changes: Json) => errorsOf(withProperties(type, changes));

describe('minimum and maximum', () => {
  it.each([
    ['TextInput', 'min-chars', 'max-chars'],
    ['CheckboxGroup', 'min-selected-items', 'max-selected-items'],
    ['ChipsSelector', 'min-selected-items', 'max-selected-items'],
    ['PhotoPicker', 'min-uploaded-photos', 'max-uploaded-photos'],
    ['DocumentPicker', 'min-uploaded-documents', 'max-uploaded-documents'],
  ])('of %s: %s may not exceed %s', (type, min, max) => {
    expect(codes(type, { [min]: 2, [max]: 2 })).toEqual([]);
    expect(codes(type, { [min]: 3, [max]: 2 })).toEqual(['MIN_VALUE_GREATER_THAN_MAX']);
  });

  it('are compared as numbers, even if they are texts', () => {
    expect(codes('TextInput', { 'min-chars': '30', 'max-chars': '4' })).toEqual(['MIN_VALUE_GREATER_THAN_MAX']);
  });
});

describe('a pattern', () => {
  it('a pattern requires a helper text', () => {
    expect(codes('TextInput', { 'helper-text': undefined })).toEqual(['INVALID_DEPENDENCIES']);
  });

  it.each([
    ['text', []],
    ['passcode', []],
    ['email', ['INVALID_DEPENDENCIES']],
    ['phone', ['INVALID_DEPENDENCIES']],
  ])('is checked by the type of its input, %s: %j', (type, expected) => {
    expect(codes('TextInput', { 'input-type': type })).toEqual(expected);
  });

  it.each([
    ['[a-z]{3}', []],
    ['(?=.*[0-9]).{8,}', ['UNCHECKED_PATTERN']],
  ])('%s leads to a warning if previews cannot check it: %j', (pattern, expected) => {
    const json = withProperties('TextInput', { pattern });
    expect([errorsOf(json), warningsOf(json)]).toEqual([[], expected]);
  });
});

describe('options', () => {
  const image = examples.Image?.src;
  const option = (changes: Json) => ({ id: 'a', title: 'A', ...changes });
  const source = (...options: Json[]) => ({
    'data-source': options,
    'on-select-action': undefined,
    'on-unselect-action': undefined,
  });

  it('need an image or a colour', () => {
    const colour = { color: '#123456' };
    expect(codes('CheckboxGroup', source(option({ image }), option({ image })))).toEqual([]);
    for (const options of [[option({ image }), option(colour)], [option({ image, ...colour })]]) {
      expect(codes('CheckboxGroup', source(...options))).toEqual(['DATA_SOURCE_ITEMS_HAVE_BOTH_IMAGE_AND_COLOR']);
    }
  });

  it('of a Dropdown are limited to 200, or 100 with images', () => {
    const many = (count: number, changes: Json) => source(...Array.from({ length: count }, () => option(changes)));
    expect(codes('Dropdown', many(200, {}))).toEqual([]);
    expect(codes('Dropdown', many(201, {}))).toEqual(['MAX_ITEMS_REQUIRED']);
    expect(codes('Dropdown', many(100, { image }))).toEqual([]);
    expect(codes('Dropdown', many(101, { image }))).toEqual(['MAX_ITEMS_REQUIRED']);
  });

  it('may have images of up to 100 kB, which phones enforce', () => {
    const large = `${image}`.replace(/=*$/, 'A'.repeat(140_000));
    const json = withProperties('CheckboxGroup', source(option({ image: large })));
    expect([errorsOf(json), warningsOf(json)]).toEqual([[], ['INVALID_PROPERTY_VALUE']]);
    const older = { ...json, version: '5.1' };
    expect(warningsOf(older)).toEqual([]);
  });

  it('may have actions only if their group has none', () => {
    const action = { name: 'update_data', payload: { note: 'x' } };
    const options = [option({ 'on-select-action': action })];
    expect(codes('RadioButtonsGroup', source(...options))).toEqual([]);
    expect(codes('RadioButtonsGroup', { 'data-source': options })).toEqual(['INVALID_DEPENDENCIES']);
  });
});

it.each(['DatePicker', 'CalendarPicker'])('%s: the first day may not be after the last', (type) => {
  expect(codes(type, { 'min-date': '2026-12-31' })).toEqual([]);
  expect(codes(type, { 'min-date': '2027-01-01' })).toEqual(['INVALID_DATE_RANGE']);
});

describe('a CalendarPicker', () => {
  const single = {
    mode: 'single',
    title: undefined,
    description: undefined,
    'min-days': undefined,
    'max-days': undefined,
    label: 'Day',
    'helper-text': 'Any',
    required: true,
    'init-value': '2026-02-02',
    'error-message': 'No',
  };

  it('a CalendarPicker accepts a single date', () => {
    expect(codes('CalendarPicker', single)).toEqual([]);
    expect(codes('CalendarPicker', { ...single, mode: undefined })).toEqual([]);
  });

  it.each([{ title: 'x' }, { description: 'x' }, { 'min-days': 1 }])(
    'with a single date may not have %j',
    (changes) => {
      expect(codes('CalendarPicker', { ...single, ...changes })).toEqual(['INVALID_PROPERTY_NAME_FOR_CONDITION']);
      expect(codes('CalendarPicker', { ...single, ...changes, mode: undefined })).toEqual([
        'INVALID_PROPERTY_NAME_FOR_CONDITION',
      ]);
    },
  );

  it.each([
    { label: { 'start-date': 'x', 'end-date': 'x' } },
    { required: { 'start-date': true } },
    { 'init-value': { 'start-date': '2026-02-02', 'end-date': '2026-02-03' } },
  ])('with a single date may not have a value for each date of a period: %j', (changes) => {
    expect(codes('CalendarPicker', { ...single, ...changes })).toEqual(['INVALID_TYPE']);
  });

  it.each([{ label: 'x' }, { 'helper-text': 'x' }, { 'init-value': '2026-02-02' }, { required: true }])(
    'with a period requires two values for each property: not %j',
    (changes) => {
      expect(codes('CalendarPicker', changes)).toEqual(['INVALID_TYPE']);
    },
  );

  it.each([
    { label: { 'start-date': 'x' } },
    { 'helper-text': { 'end-date': 'x' } },
    { required: { 'end-date': true } },
  ])('with a period requires a value for the first date, and labels for both: not %j', (changes) => {
    expect(codes('CalendarPicker', changes)).toEqual(['MISSING_CALENDAR_PICKER_RANGE_MODE_PROP']);
  });

  it('may leave the mode to the data of the screen, so that both kinds of values are possible', () => {
    expect(codes('CalendarPicker', { mode: '${data.note}' })).toEqual([]);
    expect(codes('CalendarPicker', { ...single, mode: '${data.note}' })).toEqual([]);
  });

  it('may not have a minimum number of days above its maximum', () => {
    expect(codes('CalendarPicker', { 'min-days': 15 })).toEqual(['INVALID_MIN_MAX_DAYS']);
  });
});

describe('the captions of a Footer', () => {
  const captions = { 'left-caption': undefined, 'right-caption': undefined };

  it.each([
    [{}, []],
    [{ 'center-caption': 'c' }, []],
    [{ 'left-caption': 'l', 'right-caption': 'r' }, []],
    [{ 'left-caption': 'l' }, ['INVALID_DEPENDENCIES']],
    [{ 'right-caption': 'r' }, ['INVALID_DEPENDENCIES']],
    [{ 'center-caption': 'c', 'left-caption': 'l', 'right-caption': 'r' }, ['NOT_KEYWORD_SCHEMA_VALIDATION_FAILED']],
    [{ 'center-caption': 'c', 'left-caption': 'l' }, ['INVALID_DEPENDENCIES', 'NOT_KEYWORD_SCHEMA_VALIDATION_FAILED']],
  ])('are checked in combination: %j leads to %j', (changes, expected) => {
    expect(codes('Footer', { ...captions, ...changes })).toEqual(expected);
  });
});

describe('a NavigationList', () => {
  const items = examples.NavigationList?.['list-items'];
  const [item] = Array.isArray(items) ? items : [];
  const { 'on-click-action': _, badge: __, ...bare } = item;

  it('has an action of its own, or its items have actions', () => {
    expect(codes('NavigationList', { 'on-click-action': exchange, 'list-items': [bare] })).toEqual([]);
    expect(codes('NavigationList', { 'list-items': [bare] })).toEqual(['MISSING_REQUIRED_PROPERTY']);
    expect(codes('NavigationList', { 'on-click-action': exchange })).toEqual(['INVALID_DEPENDENCIES']);
  });

  it('may have a badge on one item only', () => {
    expect(codes('NavigationList', { 'list-items': [item, item] })).toEqual(['INVALID_PROPERTY_VALUE']);
  });

  it('may have no end content next to large media', () => {
    expect(codes('NavigationList', { 'media-size': 'large' })).toEqual(['INVALID_DEPENDENCIES']);
  });

  it('may read its items from data', () => {
    const list = { ...examples.NavigationList, 'on-click-action': exchange, 'list-items': '${data.places}' };
    const declaring = (properties: Json) => {
      const main = { type: 'object', properties: { title: { type: 'string' } } };
      const items = { type: 'object', properties: { 'main-content': main, ...properties } };
      const { screens, ...rest } = flowAround(list) as { screens: [Json, Json] };
      const data = { ...exampleData, places: { type: 'array', items, __example__: [] } };
      return { ...rest, screens: [{ ...screens[0], data }, screens[1]] };
    };
    expect(errorsOf(declaring({ id: { type: 'string' } }))).toEqual([]);
    expect(errorsOf(declaring({}))).toEqual(['INVALID_SCREEN_DYNAMIC_DATA']);
    expect(
      errorsOf(
        declaring({
          id: { type: 'string' },
          'main-content': { type: 'object', properties: { note: { type: 'string' } } },
        }),
      ),
    ).toEqual(['INVALID_SCREEN_DYNAMIC_DATA']);
  });
});
