/** A route's key, parsed. */
interface Pattern<Target> {
  readonly target: Target;
  readonly method: string;
  readonly segments: readonly { readonly text: string; readonly isVariable: boolean }[];
  /** The name of the variable that takes all further segments. */
  readonly rest: string | undefined;
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
  const [, before = path, rest] = /^(.*)\/\{([^{}]+)\+\}$/.exec(path) ?? [];
  const segments = before
    .split('/')
    .slice(1)
    .map((text) => ({ text: text.replace(/[{}]/g, ''), isVariable: text.startsWith('{') }));
  // A route that takes the rest goes after all others.
  const rank = `${rest === undefined ? 0 : 1}${segments.map(({ isVariable }) => Number(isVariable)).join('')}`;
  return { target, method, segments, rest, rank };
}

function matchPath(
  { segments, rest }: Pick<Pattern<unknown>, 'segments' | 'rest'>,
  path: readonly string[],
): Record<string, string> | undefined {
  const further = path.slice(segments.length);
  if (rest === undefined ? path.length !== segments.length : further.join('') === '') return undefined;
  const parameters: [string, string][] = [];
  for (const [index, { text, isVariable }] of segments.entries()) {
    const sent = decodeURIComponent(path[index] ?? '');
    if (isVariable ? sent === '' : sent !== text) return undefined;
    if (isVariable) parameters.push([text, sent]);
  }
  if (rest !== undefined) parameters.push([rest, further.map(decodeURIComponent).join('/')]);
  return Object.fromEntries(parameters);
}

/** No route matches `.` or `..`, because code that resolves them later would see another path. */
const isDotSegment = (segment: string) => /^(\.|%2e){1,2}$/i.test(segment);

/**
 * Finds the most specific route for a method and a path as it was sent. In each segment, text goes before `{name}`, and
 * `{name+}` takes whatever no other route takes ("Routing API requests", Amazon API Gateway).
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
      const pathParameters = pattern.method === method ? matchPath(pattern, segments) : undefined;
      if (pathParameters) return { target: pattern.target, pathParameters };
    }
    return undefined;
  };
}
