import { describe, expect, it } from 'vitest';
import { examples, flowAround } from '#support/flows/component-examples.ts';
import { errorsOf, type Json, pointedAt, warningsOf } from '#support/flows/flow-json.ts';
import { componentLimits, componentTable } from './components.ts';
import type { Properties, Property, Shape } from './shapes.ts';
import { isAtLeast, oldestVersion, versions } from './versions.ts';

const types = Object.keys(componentTable);
const exampleOf = (type: string): Json => examples[type] ?? {};
const propertiesOf = (type: string): Properties => componentTable[type]?.properties ?? {};

/** Every property of every component that fulfils a condition. */
function properties(matches: (property: Property) => boolean): [type: string, name: string, property: Property][] {
  return types.flatMap((type) =>
    Object.entries(propertiesOf(type))
      .filter(([, property]) => matches(property))
      .map(([name, property]): [string, string, Property] => [type, name, property]),
  );
}

const kindsOf = (shape: Shape): Shape[] => (shape.kind === 'either' ? shape.shapes.flatMap(kindsOf) : [shape]);

describe('the examples', () => {
  it('cover every component with every property that one of them can have', () => {
    expect(Object.keys(examples).sort()).toEqual([...types].sort());
    const missing = properties(() => true)
      .filter(([type, name]) => !Object.hasOwn(exampleOf(type), name))
      .map(([type, name]) => `${type} ${name}`);
    expect(missing).toEqual(['Footer center-caption', 'NavigationList on-click-action']);
  });

  it.each(types)('the examples are valid: %s', (type) => {
    expect(pointedAt(flowAround(exampleOf(type)))).toEqual([]);
  });
});

describe('a component', () => {
  it.each(types)('without a required property is rejected: %s', (type) => {
    for (const [name, { required }] of Object.entries(propertiesOf(type))) {
      const { [name]: _, ...rest } = exampleOf(type);
      const errors = errorsOf(flowAround(rest));
      if (required === undefined) expect(errors).not.toContain('MISSING_REQUIRED_PROPERTY');
      else expect(errors, name).toContain('MISSING_REQUIRED_PROPERTY');
    }
  });

  it.each(types)('with an unknown property is rejected at that property: %s', (type) => {
    for (const name of ['colour', '__proto__', 'constructor']) {
      const component = { ...exampleOf(type), [`x${name}`]: 1 };
      const json = JSON.stringify(flowAround(component)).replace(`"x${name}"`, `"${name}"`);
      expect(pointedAt(json)).toEqual([['INVALID_PROPERTY_KEY', `"${name}"`]]);
    }
  });

  it.each(types)('is unknown before its version: %s', (type) => {
    const since = componentTable[type]?.since ?? oldestVersion;
    for (const version of versions.filter((candidate) => !isAtLeast(candidate, since))) {
      const json = flowAround(exampleOf(type), version);
      expect(pointedAt(json).filter(([code]) => code === 'INVALID_PROPERTY_VALUE')).toContainEqual([
        'INVALID_PROPERTY_VALUE',
        `"${type}"`,
      ]);
    }
  });
});

describe('a property', () => {
  it.each(properties(({ since }) => since !== undefined))(
    'of %s is unknown before its version: %s',
    (type, name, { since }) => {
      const before = versions.filter((version) => !isAtLeast(version, since ?? oldestVersion)).at(-1) ?? oldestVersion;
      if (!isAtLeast(before, componentTable[type]?.since ?? oldestVersion)) return;
      expect(pointedAt(flowAround(exampleOf(type), before))).toContainEqual(['INVALID_PROPERTY_KEY', `"${name}"`]);
      expect(pointedAt(flowAround(exampleOf(type), since))).not.toContainEqual(['INVALID_PROPERTY_KEY', `"${name}"`]);
    },
  );

  it.each(properties(() => true))('of %s is rejected if it is null: %s', (type, name) => {
    expect(pointedAt(flowAround({ ...exampleOf(type), [name]: null }))).toContainEqual([
      'INVALID_PROPERTY_TYPE',
      'null',
    ]);
  });

  it.each(properties(({ shape }) => kindsOf(shape).every(({ kind }) => kind === 'boolean')))(
    'of %s is a boolean and not a text: %s',
    (type, name) => {
      const component = { ...exampleOf(type), [name]: 'true' };
      expect(pointedAt(flowAround(component))).toContainEqual(['INVALID_PROPERTY_TYPE', '"true"']);
    },
  );

  it.each(properties(({ shape }) => shape.kind === 'string' && shape.values !== undefined))(
    'of %s accepts only its defined values: %s',
    (type, name, { shape }) => {
      const component = { ...exampleOf(type), [name]: 'other' };
      expect(pointedAt(flowAround(component))).toContainEqual(['INVALID_ENUM_VALUE', '"other"']);
      for (const value of shape.kind === 'string' ? (shape.values ?? []) : []) {
        expect(errorsOf(flowAround({ ...exampleOf(type), [name]: value }))).not.toContain('INVALID_ENUM_VALUE');
      }
    },
  );

  it.each(properties(({ shape }) => shape.kind === 'string' && shape.maxChars !== undefined))(
    'of %s that is too long for phones leads to a warning: %s',
    (type, name, { shape }) => {
      const maxChars = shape.kind === 'string' ? (shape.maxChars ?? 0) : 0;
      const withLength = (length: number) => flowAround({ ...exampleOf(type), [name]: 'x'.repeat(length) });
      expect(warningsOf(withLength(maxChars))).not.toContain('TEXT_TOO_LONG');
      expect(warningsOf(withLength(maxChars + 1))).toContain('TEXT_TOO_LONG');
      expect(errorsOf(withLength(maxChars + 1))).toEqual(errorsOf(withLength(maxChars)));
    },
  );

  it.each(properties(({ shape }) => shape.kind === 'number'))(
    'of %s accepts only numbers in its range: %s',
    (type, name, { shape }) => {
      const codes = (value: number) => errorsOf(flowAround({ ...exampleOf(type), [name]: value }));
      const { integer, min, max } = shape.kind === 'number' ? shape : {};
      if (min !== undefined) expect(codes(min - 1)).toContain('MINIMUM_VALUE_REQUIRED');
      if (max !== undefined) expect(codes(max + 1)).toContain('MAXIMUM_VALUE_REQUIRED');
      if (integer) expect(codes(1.5)).toContain('INVALID_PROPERTY_TYPE');
    },
  );

  it.each(properties(({ required, shape }) => required !== undefined && kindsOf(shape)[0]?.kind === 'string'))(
    'of %s that is required may not be blank: %s',
    (type, name) => {
      for (const blank of ['', ' \t']) {
        const component = { ...exampleOf(type), [name]: blank };
        expect(errorsOf(flowAround(component))).toContain('MIN_CHARS_REQUIRED');
      }
    },
  );

  it.each(properties(({ shape }) => shape.kind === 'list' && shape.max !== undefined))(
    'of %s has no more than its maximum number of items: %s',
    (type, name, { shape }) => {
      const max = shape.kind === 'list' ? (shape.max ?? 0) : 0;
      const example = exampleOf(type)[name];
      const [item] = Array.isArray(example) ? example : [{ id: 'a', title: 'A' }];
      const withItems = (count: number) => {
        const items = Array.from({ length: count }, (_, index) => ({
          ...item,
          ...(item.id && { id: `${index}` }),
          ...(item.badge && { badge: undefined }),
        }));
        return errorsOf(flowAround({ ...exampleOf(type), [name]: items }));
      };
      expect(withItems(max)).toEqual([]);
      expect(withItems(max + 1)).toEqual(['MAX_ITEMS_REQUIRED']);
      expect(withItems(0)).toContain('MIN_ITEMS_REQUIRED');
    },
  );

  it.each(properties(({ shape }) => shape.kind === 'action'))(
    'of %s accepts its own actions only: %s',
    (type, name, { shape }) => {
      const actions = {
        navigate: { name: 'navigate', next: { type: 'screen', name: 'MAIN' } },
        complete: { name: 'complete' },
        data_exchange: { name: 'data_exchange', payload: {} },
        update_data: { name: 'update_data', payload: {} },
        open_url: { name: 'open_url', url: 'https://example.com' },
        dance: { name: 'dance' },
      };
      const allowed = shape.kind === 'action' ? Object.keys(shape.actions) : [];
      for (const [action, json] of Object.entries(actions)) {
        const rejection = ['INVALID_ENUM_VALUE', `"${action}"`];
        // On the last screen, which this is, a Footer leads nowhere.
        if (type === 'Footer' && action === 'navigate') continue;
        const found = pointedAt(flowAround({ ...exampleOf(type), [name]: json }));
        if (allowed.includes(action)) expect(found).not.toContainEqual(rejection);
        else expect(found).toContainEqual(rejection);
      }
    },
  );
});

it('a NavigationList has limits at every depth', () => {
  expect(componentLimits.NavigationList?.['list-items']).toMatchObject({
    maxItems: 20,
    members: {
      'main-content': {
        members: { title: { maxChars: 30 }, description: { maxChars: 20 }, metadata: { maxChars: 80 } },
      },
      end: { members: { title: { maxChars: 10 } } },
      badge: { maxChars: 15 },
      tags: { maxItems: 3, maxChars: 15 },
    },
  });
});
