import { describe, expect, it } from 'vitest';
import { funnelOf } from './sent-flow.ts';

const counts = {
  sent: 9,
  opened: 7,
  completed: 2,
  screens: new Map([
    ['TIME', 1],
    ['NAME', 3],
    ['DATE', 1],
  ]),
};

describe('a funnel', () => {
  it('shows the screens on which most contacts stopped first', () => {
    expect(funnelOf({ endpoint_url: 'https://example.com', endpoint_encrypted: false }, counts)).toEqual({
      sent: 9,
      opened: 7,
      completed: 2,
      screens: [
        { screen: 'NAME', stopped: 3 },
        { screen: 'DATE', stopped: 1 },
        { screen: 'TIME', stopped: 1 },
      ],
    });
  });

  it.each([
    ['has no endpoint', { endpoint_url: null, endpoint_encrypted: true }],
    ['has an endpoint that holds the key', { endpoint_url: 'https://example.com', endpoint_encrypted: true }],
  ])('does not know who opened a Flow that %s', (_, flow) => {
    expect(funnelOf(flow, counts)).toEqual({ sent: 9, opened: null, completed: 2, screens: null });
  });
});
