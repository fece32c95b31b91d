import { expect, it } from 'vitest';
import { componentLimits } from './size-limits.ts';

it.each([
  ['TextHeading', 'text', 80],
  ['TextBody', 'text', 4096],
  ['Footer', 'left-caption', 15],
  ['RichText', 'text', undefined],
  ['Dropdown', 'data-source', undefined],
])('phones show a limited number of characters of a %s in its %s: %s', (type, name, limit) => {
  expect(componentLimits[type]?.[name]?.maxChars).toBe(limit);
});

it.each([
  ['ChipsSelector', 'data-source', { maxItems: 20, members: { title: 30, description: 300, metadata: 20 } }],
  ['Dropdown', 'data-source', { maxItems: 200, members: { title: 30, description: 300, metadata: 20 } }],
  ['ImageCarousel', 'images', { maxItems: 3 }],
  ['CalendarPicker', 'label', { maxChars: 40, members: { 'start-date': 40, 'end-date': 40 } }],
  ['TextInput', 'max-chars', { fallback: 80 }],
  ['TextArea', 'max-length', { fallback: 600 }],
  ['DocumentPicker', 'max-file-size-kb', { fallback: 25_600 }],
  ['Image', 'aspect-ratio', undefined],
])('the limits of a %s in its %s include those of its members: %j', (type, name, expected) => {
  const limits = componentLimits[type]?.[name];
  const members = limits?.members && Object.entries(limits.members).map(([member, { maxChars }]) => [member, maxChars]);
  expect(limits && { ...limits, ...(members && { members: Object.fromEntries(members) }) }).toEqual(expected);
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
