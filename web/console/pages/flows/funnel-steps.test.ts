import { expect, it } from 'vitest';
import { funnelSteps } from './funnel-steps.ts';

const known = [
  { id: 'DAY', title: 'Choose a day' },
  { id: 'CONFIRM', title: 'Book it' },
];

it('takes those who stopped at a screen from all later steps, in the order of the Flow JSON', () => {
  const screens = [
    { screen: 'CONFIRM', stopped: 3 },
    { screen: 'REMOVED', stopped: 1 },
  ];
  expect(funnelSteps({ sent: 12, opened: 10, completed: 6, screens }, known)).toEqual([
    { name: 'sent', title: 'sent', count: 12, lost: 2 },
    { name: 'opened', title: 'opened', count: 10, lost: 0 },
    { name: 'DAY', title: 'Choose a day', count: 10, lost: 0, stopped: 0 },
    { name: 'CONFIRM', title: 'Book it', count: 10, lost: 3, stopped: 3 },
    { name: 'REMOVED', title: 'REMOVED', count: 7, lost: 1, stopped: 1 },
    { name: 'completed', title: 'completed', count: 6, lost: 0 },
  ]);
});

it('claims nothing about screens and openings that nobody here can know', () => {
  const steps = funnelSteps({ sent: 12, opened: null, completed: 6, screens: null }, known);
  expect(steps.map(({ name, count, lost }) => [name, count, lost])).toEqual([
    ['sent', 12, 0],
    ['opened', null, 0],
    ['completed', 6, 0],
  ]);
});
