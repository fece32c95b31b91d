/**
 * The part of CloudWatch Logs' filter patterns for JSON that our metric filters use. The model rejects all other
 * syntax, so that it never reads a pattern differently from CloudWatch. From the CloudWatch Logs User Guide, "Using
 * filter patterns to match terms in JSON log events" and "Using metric filters to match terms and extract values":
 *
 * - `{ $.a.b = "text" }` matches a line that is JSON and has exactly this text, with the same case, at this place. A
 *   selector that points to an object or an array matches nothing.
 * - `&&` binds more tightly than `||`; parentheses come first.
 */
export function parseFilterPattern(pattern: string): (line: string) => boolean {
  const tokens = tokensOf(pattern);
  const reject = (): never => {
    const [token] = tokens;
    throw new Error(`The model of filter patterns does not know ${token ? `"${token}" here` : 'this end'}: ${pattern}`);
  };
  const take = (expected: RegExp): string => {
    const [token] = tokens;
    if (token === undefined || !expected.test(token)) return reject();
    tokens.shift();
    return token;
  };

  function anyOf(): Condition {
    const conditions = [allOf()];
    while (tokens[0] === '||') {
      take(/^\|\|$/);
      conditions.push(allOf());
    }
    return (event) => conditions.some((holds) => holds(event));
  }

  function allOf(): Condition {
    const conditions = [single()];
    while (tokens[0] === '&&') {
      take(/^&&$/);
      conditions.push(single());
    }
    return (event) => conditions.every((holds) => holds(event));
  }

  function single(): Condition {
    if (tokens[0] === '(') {
      take(/^\($/);
      const inner = anyOf();
      take(/^\)$/);
      return inner;
    }
    const [, ...path] = take(/^\$(?:\.[\w-]+)+$/).split('.');
    take(/^=$/);
    // An asterisk would be a wildcard, and digits a number.
    const text = take(/^"[A-Za-z][\w.-]*"$/).slice(1, -1);
    return (event) => valueAt(event, path) === text;
  }

  take(/^\{$/);
  const matches = anyOf();
  take(/^\}$/);
  if (tokens.length > 0) reject();
  return (line) => matches(eventOf(line));
}

type Condition = (event: unknown) => boolean;

function tokensOf(pattern: string): string[] {
  return pattern.match(/"[^"]*"|[{}()]|&&|\|\||[^\s{}()"&|=]+|\S/g) ?? [];
}

function eventOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function valueAt(event: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? (value as Record<string, unknown>)[name]
        : undefined,
    event,
  );
}
