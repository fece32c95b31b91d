import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyText } from '#support/arbitraries.ts';
import { deliveryIndexKeys, indexKeys, indexPartitions, keys } from './keys.ts';

type Builder<Key> = (first: string, second: string) => Key;

/** The builders whose keys consist only of ids. */
const {
  workspace,
  member,
  flow,
  number,
  workspaceSubscriber,
  secrets,
  phoneNumberId,
  mediaCopy,
  preview,
  user,
  token,
} = keys;
const target = (subscriber: string, name: string) => keys.target(subscriber, name);
const builders: [kind: string, build: Builder<{ pk: string; sk: string }>][] = Object.entries({
  workspace,
  member,
  flow,
  number,
  workspaceSubscriber,
  target,
  secrets,
  phoneNumberId,
  mediaCopy,
  preview,
  user,
  token,
});
const { changingFlow, numberOfWorkspace, tokenOfUser } = indexKeys;
const indexBuilders: [kind: string, build: Builder<object>][] = Object.entries({
  workspace: indexKeys.workspace,
  flow: indexKeys.flow,
  changingFlow,
  numberOfWorkspace,
  tripped: (subscriber: string) => indexKeys.tripped(subscriber, 'webhook'),
  user: indexKeys.user,
  tokenOfUser,
});

const id = fc.oneof(fc.uuid(), fc.stringMatching(/^[\w.:-]{1,20}$/));
const item = fc.record({ builder: fc.constantFrom(...builders), first: id, second: id });

interface Item {
  builder: (typeof builders)[number];
  first: string;
  second: string;
}

/** What identifies an item: its kind, and as many ids as its builder takes. */
const identity = ({ builder: [kind, build], first, second }: Item) =>
  [kind, first, ...(build.length > 1 ? [second] : [])].join(' ');

function address({ builder: [, build], first, second }: Item): string {
  const { pk, sk } = build(first, second);
  return JSON.stringify([pk, sk]);
}

describe('keys', () => {
  it('are equal for the same item and different for any two items', () => {
    fc.assert(
      fc.property(item, item, (one, other) => {
        expect(address(one)).toBe(address({ ...one }));
        expect(address(one) === address(other)).toBe(identity(one) === identity(other));
      }),
    );
  });

  it('of the same ids differ between kinds of item', () => {
    fc.assert(
      fc.property(id, (same) => {
        const addresses = builders.map((builder) => address({ builder, first: same, second: same }));
        expect(new Set(addresses).size).toBe(builders.length);
      }),
    );
  });

  it.each([
    ['a workspace, its members and its Flows', ['workspace', 'member', 'flow'], keys.workspace],
    ['a subscriber and its targets, but not its secrets,', ['number', 'workspaceSubscriber', 'target'], keys.number],
  ])('of %s share one partition, and no other keys do', (_, kinds, partitionOf) => {
    fc.assert(
      fc.property(item, id, (one, other) => {
        const partition = one.builder[1](one.first, one.second).pk;
        const belongs = kinds.includes(one.builder[0]);
        expect(partition === partitionOf(one.first).pk).toBe(belongs);
        expect(partition === partitionOf(other).pk).toBe(belongs && one.first === other);
      }),
    );
  });
});

describe('texts that are not ids', () => {
  const hostile = ['', '#', 'a#b', 'a b', 'a\n', '\0', 'é', '../x', '{}', 'x#FLOW', '"'];

  it.each([...builders, ...indexBuilders])('are rejected by the key builder %s', (_, build) => {
    for (const text of hostile) {
      expect(() => build(text, 'id'), JSON.stringify(text)).toThrow(TypeError);
      if (build.length > 1) expect(() => build('id', text), JSON.stringify(text)).toThrow(TypeError);
    }
  });

  it('include every text with a character that could end an id', () => {
    const text = anyText.filter((candidate) => !/^[\w.:-]+$/.test(candidate));
    fc.assert(
      fc.property(text, (candidate) => {
        expect(() => keys.flow('w', candidate)).toThrow(TypeError);
      }),
    );
  });
});

it('every partition of an index that a role can name is that of a key', () => {
  const built = (build: object) => Object.entries((build as (...ids: string[]) => object)('a', 'webhook', 'a'));
  const { inState, ...others } = deliveryIndexKeys;
  const states = ['waiting', 'held', 'exhausted', 'discarded'] as const;
  const attributes = [
    ...[indexKeys, others].flatMap(Object.values).flatMap(built),
    ...states.flatMap((state) => Object.entries(inState(state, 'a', 'webhook', 'a'))),
  ];
  const isBuilt = (name: string, partition: string) =>
    attributes.some(([attribute, value]) => attribute === name && String(value).startsWith(partition));
  for (const [index, partitions] of Object.entries(indexPartitions)) {
    expect(Object.keys(partitions).filter((partition) => !isBuilt(`${index}pk`, partition))).toEqual([]);
  }
});
