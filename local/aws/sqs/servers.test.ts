import { beforeEach, describe, expect, it } from 'vitest';
import { randomFrom } from '#support/random.ts';
import { NoisyGroups } from './queue/noisy-groups.ts';
import { Servers, type Waiting } from './servers.ts';

interface Item extends Waiting {
  name: string;
}

let now: number;
beforeEach(() => {
  now = 0;
});

/** Servers, with what is in flight. */
function create({ servers = 1, random = randomFrom(1) } = {}) {
  const noisyGroups = new NoisyGroups(() => now);
  const queue = new Servers<Item>({ random, noisyGroups, servers });
  const receive = (next: () => Item | undefined, max: number) => {
    const items: Item[] = [];
    for (let item = next(); item; item = items.length < max ? next() : undefined) {
      items.push(item);
      noisyGroups.leave(item.groupId, 'visible');
      noisyGroups.enter(item.groupId, 'inFlight');
    }
    return items.map(({ name }) => name);
  };
  return {
    send(groupId: string | undefined, ...names: string[]) {
      for (const name of names) {
        queue.add({ name, groupId });
        noisyGroups.enter(groupId, 'visible');
      }
    },
    end(groupId: string | undefined, count: number) {
      for (let n = 0; n < count; n += 1) noisyGroups.leave(groupId, 'inFlight');
    },
    receive: (max = 10) => receive(queue.allServers(), max),
    receiveShort: (max = 10) => receive(queue.someServers(), max),
    receiveFromFirst: () => receive(queue.eachServer()[0] ?? (() => undefined), 10),
    receiveFromEach: () => queue.eachServer().map((next) => receive(next, 10)),
  };
}

const names = (name: string, count: number, from = 0) => Array.from({ length: count }, (_, n) => `${name}${n + from}`);

describe('fairness', () => {
  it('keeps the order of arrival as long as no group is noisy', () => {
    const { send, receive } = create();
    send('a', ...names('a', 40));
    send('b', 'b0');
    send(undefined, 'none');
    expect(receive(29)).toEqual(names('a', 29));
    expect(receive(13)).toEqual([...names('a', 1, 29), 'b0', 'none', ...names('a', 10, 30)]);
  });

  it('does not call a group noisy that has at most a tenth of what is in flight', () => {
    const { send, receive } = create();
    for (let n = 0; n < 270; n += 1) send(undefined, 'other');
    receive(270);
    send('a', ...names('a', 31));
    send('b', 'b0');
    expect(receive(30)).toEqual(names('a', 30));
    // 30 of 300 are a tenth, and the next one makes it more.
    expect(receive(1)).toEqual(['a30']);
    send('a', 'a31');
    expect(receive(2)).toEqual(['b0', 'a31']);
  });

  it('lets a message that comes later overtake a noisy group, also in the middle of a batch', () => {
    const { send, receive } = create();
    send('noisy', ...names('n', 60));
    receive(30);
    expect(receive(5)).toEqual(names('n', 5, 30));
    send('quiet', 'q0');
    expect(receive(3)).toEqual(['q0', ...names('n', 2, 35)]);
  });

  it('takes the noisy group first that has the fewest in flight', () => {
    const { send, receive } = create();
    send('a', ...names('a', 50));
    send('b', ...names('b', 50));
    receive(30);
    receive(30);
    expect(receive(6)).toEqual(['a30', 'b30', 'a31', 'b31', 'a32', 'b32']);
  });

  it('treats a group like any other after its backlog is gone', () => {
    const { send, end, receive } = create();
    send('noisy', ...names('n', 40));
    receive(31);
    end('noisy', 31);
    send('quiet', 'q0');
    expect(receive(10)).toEqual(['q0', ...names('n', 9, 31)]);
    send('noisy', 'n40');
    send('quiet', 'q1');
    expect(receive(2)).toEqual(['n40', 'q1']);
  });

  it('treats a group like any other after five silent minutes', () => {
    const { send, end, receive } = create();
    send('noisy', ...names('n', 40));
    receive(31);
    end('noisy', 31);
    now = 5 * 60_000 - 1;
    send('quiet', 'q0', 'q1');
    expect(receive(1)).toEqual(['q0']);
    now += 1;
    expect(receive(10)).toEqual([...names('n', 9, 31), 'q1']);
  });

  // Linear work takes less than a second; quadratic work would not end in the time of a test.
  it('handles very many messages of many groups, noisy ones among them', () => {
    const { send, receive } = create({ servers: 3 });
    for (let n = 0; n < 100_000; n += 1) send(n % 2 === 0 ? 'busy' : `group-${n % 20_000}`, `${n}`);
    let taken = 0;
    for (let batch = receive(); batch.length > 0; batch = receive()) taken += batch.length;
    expect(taken).toBe(100_000);
  });
});

describe('servers', () => {
  it('have each message once, and give full batches from a deep queue', () => {
    const { send, receive } = create({ servers: 3 });
    send('a', ...names('a', 25));
    const batches = [receive(), receive(), receive(), receive()];
    expect(batches.map(({ length }) => length)).toEqual([10, 10, 5, 0]);
    expect(new Set(batches.flat())).toEqual(new Set(names('a', 25)));
  });

  it('share what is sent together', () => {
    const { send, receiveFromEach } = create({ servers: 3 });
    send('a', ...names('a', 10));
    const batches = receiveFromEach();
    expect(batches).toHaveLength(3);
    expect(new Set(batches.flat())).toEqual(new Set(names('a', 10)));
    expect(Math.max(...batches.map(({ length }) => length))).toBeLessThan(10);
  });

  it('give a poll that waits quiet messages of another server rather than noisy ones', () => {
    const draws: number[] = [];
    const { send, receive, receiveFromFirst } = create({ servers: 2, random: () => draws.shift() ?? 0 });
    send('noisy', ...names('n', 31));
    receive(31);
    // The server of the noisy message, that of the quiet one, and the server at which the poll begins.
    draws.push(0, 0.5, 0);
    send('noisy', 'n31');
    send('quiet', 'q0');
    expect(receiveFromFirst()).toEqual(['q0']);
  });

  it('leave one of them out in a short poll, and not the same each time', () => {
    const { send, receiveShort } = create({ servers: 3 });
    send('a', ...names('a', 30));
    const first = receiveShort(30);
    expect(first.length).toBeLessThan(30);
    const others = Array.from({ length: 10 }, () => receiveShort(30));
    expect(first.length + others.flat().length).toBe(30);
  });

  it('draw the same with the same source of random numbers', () => {
    const play = () => {
      const { send, receiveFromEach } = create({ servers: 3, random: randomFrom(7) });
      send('a', ...names('a', 10));
      return receiveFromEach();
    };
    expect(play()).toEqual(play());
  });
});
