import { describe, expect, it } from 'vitest';
import { NoisyGroups } from './noisy-groups.ts';

const minuteMs = 60_000;

function create() {
  let now = 0;
  const groups = new NoisyGroups(() => now);
  return {
    groups,
    pass(ms: number) {
      now += ms;
    },
    send: (groupId: string) => groups.enter(groupId, 'visible'),
    receive(groupId: string) {
      groups.leave(groupId, 'visible');
      groups.enter(groupId, 'inFlight');
    },
  };
}

describe('the search for noisy groups', () => {
  it('counts what is in flight when each message is received before the next one comes', () => {
    const { groups, send, receive } = create();
    for (let n = 0; n < 30; n += 1) {
      send('a');
      receive('a');
    }
    expect(groups.inFlight('a')).toBe(30);
    send('a');
    expect(groups.isNoisy('a')).toBe(true);
    groups.leave('a', 'visible');
    for (let n = 0; n < 30; n += 1) groups.leave('a', 'inFlight');
    expect(groups.inFlight('a')).toBe(0);
  });

  it('counts the silence of a group from the last message that became visible, not from a receive', () => {
    const { groups, pass, send, receive } = create();
    for (let n = 0; n < 31; n += 1) send('a');
    for (let n = 0; n < 29; n += 1) receive('a');
    pass(4 * minuteMs);
    receive('a');
    expect(groups.isNoisy('a')).toBe(true);
    pass(minuteMs);
    expect(groups.isNoisy('a')).toBe(false);
  });
});
