/** A route's key, parsed. */
interface Pattern<Target> {
  readonly target: Target;
  readonly method: string;
  readonly segments: readonly Segment[];
  /** For comparison. The smaller one is more specific. */
  readonly rank: string;
}

type Segment =
  | { readonly kind: 'static'; readonly text: string }
  | { readonly kind: 'variable' | 'greedy'; readonly name: string };

export interface RouteMatch<Target> {
  readonly target: Target;
  /** Percent-decoded. */
  readonly pathParameters: Readonly<Record<string, string>>;
}

const defaultRoute = '$default';
const rankOf: Readonly<Record<Segment['kind'], string>> = { static: '0', variable: '1', greedy: '2' };

function parseSegment(text: string): Segment {
  const [, name, plus] = /^\{([^}+]+)(\+?)\}$/.exec(text) ?? [];
  return name === undefined ? { kind: 'static', text } : { kind: plus ? 'greedy' : 'variable', name };
}

function parseRoute<Target extends { routeKey: string }>(target: Target): Pattern<Target> {
  const space = target.routeKey.indexOf(' ');
  const method = target.routeKey.slice(0, space);
  const segments = target.routeKey
    .slice(space + 1)
    .split('/')
    .slice(1)
    .map(parseSegment);
  const ranks = segments.map(({ kind }) => rankOf[kind]).join('');
  // Routes with the same path differ by their method.
  return { target, method, segments, rank: `${ranks}${method === 'ANY' ? '1' : '0'}` };
}

function matchPath(segments: readonly Segment[], path: readonly string[]): Record<string, string> | undefined {
  const greedy = segments.at(-1)?.kind === 'greedy';
  if (greedy ? path.length < segments.length : path.length !== segments.length) return undefined;
  const parameters: [string, string][] = [];
  for (const [index, segment] of segments.entries()) {
    const text = decodeURIComponent(segment.kind === 'greedy' ? path.slice(index).join('/') : (path[index] ?? ''));
    if (segment.kind === 'static' ? text !== segment.text : text === '') return undefined;
    if (segment.kind !== 'static') parameters.push([segment.name, text]);
  }
  return Object.fromEntries(parameters);
}

/** No route matches `.` or `..`, because code that resolves them later would see another path. */
const isDotSegment = (segment: string) => /^(\.|%2e){1,2}$/i.test(segment);

/**
 * Finds the most specific route for a method and a path as it was sent. In each segment, text goes before `{name}` and
 * `{name}` before `{name+}`. Then a route's own method goes before `ANY`. `$default` takes the rest ("Routing API
 * requests", Amazon API Gateway).
 *
 * The returned function throws a URIError for a path that is not valid percent-encoding.
 */
export function createRouter<Target extends { routeKey: string }>(
  targets: readonly Target[],
): (method: string, path: string) => RouteMatch<Target> | undefined {
  const fallback = targets.find(({ routeKey }) => routeKey === defaultRoute);
  const patterns = targets
    .filter((target) => target !== fallback)
    .map(parseRoute)
    .sort((a, b) => a.rank.localeCompare(b.rank));

  return (method, path) => {
    const segments = path.split('/').slice(1);
    if (!path.startsWith('/') || segments.some(isDotSegment)) return undefined;
    for (const pattern of patterns) {
      if (pattern.method === method || pattern.method === 'ANY') {
        const pathParameters = matchPath(pattern.segments, segments);
        if (pathParameters) return { target: pattern.target, pathParameters };
      }
    }
    return fallback && { target: fallback, pathParameters: {} };
  };
}
