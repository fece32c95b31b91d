/** A profile of V8's inspector, as far as it is read here. Lines and columns begin with 0. */
export interface CpuProfile {
  nodes: readonly ProfileNode[];
  /** The node that ran at each sample. */
  samples: readonly number[];
}

export interface ProfileNode {
  id: number;
  callFrame: CallFrame;
  children?: readonly number[];
}

export interface CallFrame {
  functionName: string;
  /** Empty for what is native. */
  url: string;
  lineNumber: number;
  columnNumber: number;
}

/** Shares of all samples: in which a key ran itself, and in which it was somewhere on the stack. */
export interface Shares {
  self: number;
  total: number;
}

/**
 * Adds up the samples by a key of the frames, such as their package. Samples without work do not count. Frames without
 * a key count for nobody.
 */
export function sharesBy(
  { nodes, samples }: CpuProfile,
  keyOf: (frame: CallFrame) => string | undefined,
): Map<string, Shares> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const hits = new Map<number, number>();
  for (const id of samples) hits.set(id, (hits.get(id) ?? 0) + 1);
  const shares = new Map<string, Shares>();
  const shareOf = (key: string): Shares => {
    const share = shares.get(key) ?? { self: 0, total: 0 };
    shares.set(key, share);
    return share;
  };
  let worked = 0;

  /** Visits a node with the keys that are on the stack above it, and returns the samples at and below it. */
  function visit(node: ProfileNode, onStack: ReadonlySet<string>): number {
    if (isWait(node.callFrame)) return 0;
    const key = keyOf(node.callFrame);
    const self = isWork(node.callFrame) ? (hits.get(node.id) ?? 0) : 0;
    worked += self;
    const keys = key === undefined ? onStack : new Set([...onStack, key]);
    const below = (node.children ?? []).flatMap((id) => byId.get(id) ?? []);
    const total = below.reduce((sum, child) => sum + visit(child, keys), self);
    if (key !== undefined) {
      shareOf(key).self += self;
      // A function that calls itself is on the stack once.
      if (!onStack.has(key)) shareOf(key).total += total;
    }
    return total;
  }

  const [root] = nodes;
  if (root) visit(root, new Set());
  for (const share of shares.values()) {
    share.self /= worked;
    share.total /= worked;
  }
  return shares;
}

/** Whether the process waits here for its next event: the local world's functions wait in a read that blocks them. */
const isWait = ({ functionName, url }: CallFrame) => functionName === 'readEvent' && url.endsWith('/channel.mjs');

const isWork = ({ functionName, url }: CallFrame) =>
  url !== '' || (functionName !== '(idle)' && functionName !== '(root)');
