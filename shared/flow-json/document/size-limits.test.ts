import { expect, it } from 'vitest';
import { componentLimits } from './size-limits.ts';

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
