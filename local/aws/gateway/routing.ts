/** A route's key, parsed. */
interface Pattern<Target> {
  readonly target: Target;
  readonly method: string;
  readonly segments: readonly { readonly text: string; readonly isVariable: boolean }[];
  /** For comparison. The smaller one is more specific. */
  readonly rank: string;
}

export interface RouteMatch<Target> {
  readonly target: Target;
  /** Percent-decoded. */
  readonly pathParameters: Readonly<Record<string, string>>;
}

function parseRoute<Target extends { routeKey: string }>(target: Target): Pattern<Target> {
  const [method = '', path = ''] = target.routeKey.split(' ');
  const segments = path
    .split('/')
    .slice(1)
    .map((text) => ({ text: text.replace(/[{}]/g, ''), isVariable: text.startsWith('{') }));
  return { target, method, segments, rank: segments.map(({ isVariable }) => Number(isVariable)).join('') };
}

function matchPath(
  segments: Pattern<unknown>['segments'],
  path: readonly string[],
): Record<string, string> | undefined {
  if (path.length !== segments.length) return undefined;
  const parameters: [string, string][] = [];
  for (const [index, { text, isVariable }] of segments.entries()) {
    const sent = decodeURIComponent(path[index] ?? '');
    if (isVariable ? sent === '' : sent !== text) return undefined;
    if (isVariable) parameters.push([text, sent]);
  }
  return Object.fromEntries(parameters);
}

/** No route matches `.` or `..`, because code that resolves them later would see another path. */
const isDotSegment = (segment: string) => /^(\.|%2e){1,2}$/i.test(segment);

/**
 * Finds the most specific route for a method and a path as it was sent. In each segment, text goes before `{name}`
 * ("Routing API requests", Amazon API Gateway).
 *
 * The returned function throws a URIError for a path that is not valid percent-encoding.
 */
export function createRouter<Target extends { routeKey: string }>(
  targets: readonly Target[],
): (method: string, path: string) => RouteMatch<Target> | undefined {
  const patterns = targets.map(parseRoute).sort((a, b) => a.rank.localeCompare(b.rank));

  return (method, path) => {
    const segments = path.split('/').slice(1);
    if (!path.startsWith('/') || segments.some(isDotSegment)) return undefined;
    for (const pattern of patterns) {
      const pathParameters = pattern.method === method ? matchPath(pattern.segments, segments) : undefined;
      if (pathParameters) return { target: pattern.target, pathParameters };
    }
    return undefined;
  };
}
