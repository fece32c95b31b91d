import { describe, expect, it } from 'vitest';
import type { Json } from '#support/flows/flow-json.ts';
import { componentLimits } from '../document/components.ts';
import { asShown } from './resolve-values.ts';

const shown = (type: string, properties: Json) => asShown({ type, key: '/0', properties }, componentLimits).properties;
const options = (count: number, title = 'A') => Array.from({ length: count }, (_, id) => ({ id: `${id}`, title }));

describe('a component as a phone shows it', () => {
  it('has its texts cut off, in lists and objects too', () => {
    expect(shown('TextHeading', { text: 'x'.repeat(80) })).toEqual({ text: 'x'.repeat(80) });
    expect(shown('TextHeading', { text: 'x'.repeat(81) })).toEqual({ text: `${'x'.repeat(79)}…` });
    expect(shown('TextCaption', { text: ['a', 'x'.repeat(500)] })).toEqual({ text: ['a', `${'x'.repeat(408)}…`] });
    expect(shown('CalendarPicker', { label: { 'start-date': 'x'.repeat(41), 'end-date': 'End' } })).toEqual({
      label: { 'start-date': `${'x'.repeat(39)}…`, 'end-date': 'End' },
    });
    const { 'data-source': source } = shown('RadioButtonsGroup', { 'data-source': options(1, 'x'.repeat(31)) });
    expect(source).toEqual(options(1, `${'x'.repeat(29)}…`));
  });

  it('shows no more items than the component allows', () => {
    const count = (type: string, name: string, items: unknown[]) => {
      const list = shown(type, { [name]: items })[name];
      return Array.isArray(list) ? list.length : 0;
    };
    expect(count('CheckboxGroup', 'data-source', options(21))).toBe(20);
    expect(count('Dropdown', 'data-source', options(201))).toBe(200);
    expect(count('ImageCarousel', 'images', options(4))).toBe(3);
    expect(count('NavigationList', 'list-items', options(21))).toBe(20);
  });

  it('uses default limits unless it sets its own', () => {
    expect(shown('TextInput', {})).toEqual({ 'max-chars': 80 });
    expect(shown('TextInput', { 'max-chars': '3' })).toEqual({ 'max-chars': '3' });
    expect(shown('TextArea', { 'max-length': 'many' })).toEqual({ 'max-length': 600 });
    expect(shown('PhotoPicker', { 'max-uploaded-photos': 2 })).toEqual({
      'max-file-size-kb': 25_600,
      'min-uploaded-photos': 0,
      'max-uploaded-photos': 2,
    });
  });

  it('is unchanged if the table has no limits for it', () => {
    const properties = { text: 'x'.repeat(5_000), label: 1, title: null };
    expect(shown('constructor', properties)).toBe(properties);
    expect(shown('TextHeading', { text: { a: 1 }, __proto__x: 'y' })).toEqual({ text: { a: 1 }, __proto__x: 'y' });
  });
});
