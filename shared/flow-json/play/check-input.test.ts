import { describe, expect, it } from 'vitest';
import type { Json } from '#support/flows/flow-json.ts';
import { componentLimits } from '../document/components.ts';
import { checkInput } from './check-input.ts';
import { asShown } from './resolve-values.ts';

const fault = (type: string, properties: Json, value: unknown) =>
  checkInput(asShown({ type, key: '/0', properties }, componentLimits), value);
const code = (...input: Parameters<typeof fault>) => fault(...input)?.code;
const data = { 'data-source': [{ id: 'a' }, { id: 'b' }, { id: 'c' }, { id: 'off', enabled: false }] };

describe('a required input', () => {
  it.each<[string, Json, unknown]>([
    ['TextInput', { required: true }, ''],
    ['TextArea', { required: true }, undefined],
    ['CheckboxGroup', { required: true }, []],
    ['Dropdown', { required: true }, ''],
    ['OptIn', { required: true }, false],
    ['DatePicker', { required: true }, ''],
    ['CalendarPicker', { required: { 'start-date': true } }, {}],
    ['PhotoPicker', { 'min-uploaded-photos': 1 }, []],
    ['DocumentPicker', { 'min-uploaded-documents': 2 }, []],
  ])('%s with %j is missing if it is %j', (type, properties, value) => {
    expect(code(type, properties, value)).toBe('required');
    expect(code(type, {}, value)).toBeUndefined();
  });

  it('is valid once it is filled in', () => {
    expect(code('TextInput', { required: true }, 'x')).toBeUndefined();
    expect(code('OptIn', { required: true }, true)).toBeUndefined();
  });
});

describe('a TextInput', () => {
  it.each<[Json, string, string | undefined]>([
    [{ 'min-chars': 3 }, 'ab', 'too-short'],
    [{ 'min-chars': '3' }, 'abc', undefined],
    [{ 'max-chars': 3 }, 'abcd', 'too-long'],
    [{}, 'x'.repeat(80), undefined],
    [{}, 'x'.repeat(81), 'too-long'],
    [{ 'input-type': 'number' }, '-12.5', undefined],
    [{ 'input-type': 'number' }, '12a', 'not-a-number'],
    [{ 'input-type': 'email' }, 'ada@example.com', undefined],
    [{ 'input-type': 'email' }, 'ada@example', 'not-an-email'],
    [{ 'input-type': 'email' }, 'a da@example.com', 'not-an-email'],
    [{ 'input-type': 'phone' }, '+39 (06) 555-0100', undefined],
    [{ 'input-type': 'phone' }, 'home', 'not-a-phone-number'],
    [{ 'input-type': 'passcode' }, '0042', undefined],
    [{ 'input-type': 'passcode' }, '4x', 'not-digits'],
    [{ pattern: '[A-Z]{2}' }, 'AB', undefined],
    [{ pattern: '[A-Z]{2}' }, 'ABC', 'pattern'],
    [{ pattern: '[0-9]{4}', 'input-type': 'passcode' }, '00', 'pattern'],
    [{ pattern: 'x', 'input-type': 'email' }, 'ada@example.com', undefined],
    [{ pattern: '(?=a)b' }, 'c', undefined],
    [{ pattern: '(' }, 'c', undefined],
    [{ pattern: '(a+)+b' }, 'a'.repeat(79), 'pattern'],
  ])('with %j and the value %s is checked, with the result: %s', (properties, value, expected) => {
    expect(code('TextInput', properties, value)).toBe(expected);
  });
});

it('a TextArea may have 600 characters, or as many as it specifies', () => {
  expect(code('TextArea', {}, 'x'.repeat(600))).toBeUndefined();
  expect(code('TextArea', {}, 'x'.repeat(601))).toBe('too-long');
  expect(code('TextArea', { 'max-length': 5 }, 'xxxxxx')).toBe('too-long');
});

describe('a selection', () => {
  it.each<[string, Json, unknown, string | undefined]>([
    ['CheckboxGroup', { 'min-selected-items': 2 }, ['a'], 'too-few'],
    ['CheckboxGroup', { 'max-selected-items': 1 }, ['a', 'b'], 'too-many'],
    ['ChipsSelector', { 'max-selected-items': 2 }, ['a', 'b'], undefined],
    ['CheckboxGroup', {}, ['a', 'x'], 'not-an-option'],
    ['RadioButtonsGroup', {}, 'b', undefined],
    ['RadioButtonsGroup', {}, 'x', 'not-an-option'],
    ['Dropdown', {}, 'off', 'not-an-option'],
  ])('%s with %j and the value %j is checked, with the result: %s', (type, properties, value, expected) => {
    expect(code(type, { ...data, ...properties }, value)).toBe(expected);
  });
});

describe('a date', () => {
  const limits = { 'min-date': '2026-01-10', 'max-date': '2026-01-20', 'unavailable-dates': ['2026-01-15'] };

  it.each([
    ['2026-01-10', undefined],
    ['2026-01-20', undefined],
    ['2026-01-09', 'too-early'],
    ['2026-01-21', 'too-late'],
    ['2026-01-15', 'unavailable-date'],
    ['2026-02-30', 'not-a-date'],
    ['soon', 'not-a-date'],
  ])('%s is checked, with the result: %s', (value, expected) => {
    expect(code('DatePicker', limits, value)).toBe(expected);
    expect(code('CalendarPicker', limits, value)).toBe(expected);
  });

  it('is between 1900 and 2100 unless limits are specified', () => {
    expect(code('DatePicker', {}, '1899-12-31')).toBe('too-early');
    expect(code('DatePicker', {}, '2101-01-01')).toBe('too-late');
    expect(code('DatePicker', { 'min-date': '1800-01-01' }, '1899-12-31')).toBeUndefined();
  });
});

describe('a period', () => {
  const range = { mode: 'range', 'min-days': 2, 'max-days': 4, 'include-days': ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'] };
  const from = (start: string, end: unknown) => ({ 'start-date': start, 'end-date': end });

  it.each([
    [from('2026-01-05', '2026-01-06'), undefined],
    [from('2026-01-05', '2026-01-08'), undefined],
    [from('2026-01-05', '2026-01-05'), 'too-few-days'],
    [from('2026-01-05', '2026-01-09'), 'too-many-days'],
    [from('2026-01-06', '2026-01-05'), 'not-a-period'],
    [from('2026-01-05', ''), 'not-a-date'],
    [from('2026-01-05', undefined), 'not-a-period'],
    [from('2026-01-09', '2026-01-10'), 'unavailable-date'],
  ])('%j is checked, with the result: %s', (value, expected) => {
    expect(code('CalendarPicker', range, value)).toBe(expected);
  });

  it('is not required of a CalendarPicker with single dates', () => {
    expect(code('CalendarPicker', { 'include-days': ['Mon'] }, '2026-01-05')).toBeUndefined();
    expect(code('CalendarPicker', { 'include-days': ['Mon'] }, '2026-01-06')).toBe('unavailable-date');
  });
});

describe('files', () => {
  const file = { file_name: 'a.jpg', size: 1024, mime_type: 'image/jpeg' };

  it.each([
    ['PhotoPicker', 'min-uploaded-photos', 'max-uploaded-photos'],
    ['DocumentPicker', 'min-uploaded-documents', 'max-uploaded-documents'],
  ])('of a %s are limited in number and size', (type, min, max) => {
    expect(fault(type, { [min]: 2 }, [file])).toEqual({ code: 'too-few', limit: 2 });
    expect(fault(type, { [max]: 1 }, [file, file])).toEqual({ code: 'too-many', limit: 1 });
    expect(fault(type, {}, Array(31).fill(file))).toEqual({ code: 'too-many', limit: 30 });
    expect(code(type, { 'max-file-size-kb': 1 }, [file])).toBeUndefined();
    const tooLarge = { ...file, size: 1025 };
    expect(fault(type, { 'max-file-size-kb': 1 }, [file, tooLarge])).toEqual({ code: 'file-too-large', limit: '1 KB' });
    expect(code(type, {}, [{ ...file, size: 25_600 * 1024 + 1 }])).toBe('file-too-large');
  });

  it.each([
    [['image/jpeg'], undefined],
    [['application/pdf', 'image/jpeg'], undefined],
    [undefined, undefined],
    [['application/pdf', 'image/png'], { code: 'wrong-file-type', limit: 'application/pdf, image/png' }],
  ])('are checked against the allowed types %j: %j', (types, expected) => {
    expect(fault('DocumentPicker', { 'allowed-mime-types': types }, [file])).toEqual(expected);
  });

  it('of a type unknown to the browser are rejected if allowed types are specified', () => {
    const unknown = { ...file, mime_type: '' };
    expect(code('DocumentPicker', { 'allowed-mime-types': ['image/jpeg'] }, [file, unknown])).toBe('wrong-file-type');
  });
});

it('a component that is not an input is always valid', () => {
  expect(code('TextBody', { required: false }, 'x')).toBeUndefined();
  expect(code('__proto__', {}, 'x')).toBeUndefined();
});
