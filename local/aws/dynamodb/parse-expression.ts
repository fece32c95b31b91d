/** One step into a document: the name of a member (`#alias` until it is looked up) or an index of a list. */
export type Step = string | number;

export type Operand =
  | { is: 'path'; path: readonly Step[] }
  | { is: 'value'; name: string }
  | { is: 'call'; name: string; operands: readonly Operand[] }
  | { is: 'sum'; sign: 1 | -1; left: Operand; right: Operand };

export type Condition =
  | { is: 'and' | 'or'; left: Condition; right: Condition }
  | { is: 'not'; condition: Condition }
  | { is: 'compare'; operator: string; left: Operand; right: Operand }
  | { is: 'between'; operand: Operand; low: Operand; high: Operand }
  | { is: 'in'; operand: Operand; list: readonly Operand[] }
  | { is: 'call'; name: string; operands: readonly Operand[] };

export interface Update {
  set: { path: readonly Step[]; to: Operand }[];
  remove: (readonly Step[])[];
  add: { path: readonly Step[]; value: Operand }[];
  delete: { path: readonly Step[]; value: Operand }[];
}

const token = /\s*(<>|<=|>=|[=<>()[\],.+-]|[#:]?\w+)/y;

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  token.lastIndex = 0;
  while (text.slice(token.lastIndex).trim() !== '') {
    const at = token.lastIndex;
    const match = token.exec(text);
    if (!match?.[1]) throw new SyntaxError(`Cannot read the expression at ${at}: ${text}`);
    tokens.push(match[1]);
  }
  return tokens;
}

const comparators = new Set(['=', '<>', '<', '<=', '>', '>=']);

/** A recursive descent through the grammar of DynamoDB's expressions. */
function parser(text: string) {
  const tokens = tokensOf(text);
  let at = 0;

  const peek = (ahead = 0) => tokens[at + ahead];
  const isWord = (word: string, ahead = 0) => peek(ahead)?.toUpperCase() === word;

  function take(): string {
    const next = tokens[at++];
    if (next === undefined) throw new SyntaxError(`The expression ends too soon: ${text}`);
    return next;
  }

  function accept(word: string): boolean {
    if (!isWord(word)) return false;
    at++;
    return true;
  }

  function expect(word: string): void {
    if (!accept(word)) throw new SyntaxError(`Expected "${word}" instead of "${peek()}": ${text}`);
  }

  function list<T>(read: () => T): T[] {
    const all = [read()];
    while (accept(',')) all.push(read());
    return all;
  }

  function path(): Step[] {
    const steps: Step[] = [name()];
    for (;;) {
      if (accept('.')) steps.push(name());
      else if (accept('[')) {
        steps.push(Number(take()));
        expect(']');
      } else return steps;
    }
  }

  function name(): string {
    const next = take();
    if (!/^(?:#|[A-Za-z_])\w*$/.test(next)) throw new SyntaxError(`"${next}" is not a name: ${text}`);
    return next;
  }

  function operands(): Operand[] {
    expect('(');
    const all = list(operand);
    expect(')');
    return all;
  }

  function operand(): Operand {
    if (accept('(')) {
      const inner = value();
      expect(')');
      return inner;
    }
    if (peek()?.startsWith(':')) return { is: 'value', name: take() };
    if (peek(1) === '(') return { is: 'call', name: take(), operands: operands() };
    return { is: 'path', path: path() };
  }

  function value(): Operand {
    const left = operand();
    if (accept('+')) return { is: 'sum', sign: 1, left, right: operand() };
    if (accept('-')) return { is: 'sum', sign: -1, left, right: operand() };
    return left;
  }

  function condition(): Condition {
    let left = conjunction();
    while (accept('OR')) left = { is: 'or', left, right: conjunction() };
    return left;
  }

  function conjunction(): Condition {
    let left = negation();
    while (accept('AND')) left = { is: 'and', left, right: negation() };
    return left;
  }

  function negation(): Condition {
    if (accept('NOT')) return { is: 'not', condition: negation() };
    if (accept('(')) {
      const inner = condition();
      expect(')');
      return inner;
    }
    return predicate();
  }

  function predicate(): Condition {
    const left = operand();
    if (accept('BETWEEN')) {
      const low = operand();
      expect('AND');
      return { is: 'between', operand: left, low, high: operand() };
    }
    if (accept('IN')) return { is: 'in', operand: left, list: operands() };
    if (comparators.has(peek() ?? '')) return { is: 'compare', operator: take(), left, right: operand() };
    if (left.is === 'call') return left;
    throw new SyntaxError(`Not a condition at "${peek()}": ${text}`);
  }

  function changes(): { path: Step[]; value: Operand }[] {
    return list(() => ({ path: path(), value: operand() }));
  }

  function update(): Update {
    const parsed: Update = { set: [], remove: [], add: [], delete: [] };
    while (peek() !== undefined) {
      if (accept('SET')) parsed.set = list(assignment);
      else if (accept('REMOVE')) parsed.remove = list(path);
      else if (accept('ADD')) parsed.add = changes();
      else if (accept('DELETE')) parsed.delete = changes();
      else throw new SyntaxError(`Not an update at "${peek()}": ${text}`);
    }
    return parsed;
  }

  function assignment() {
    const to = path();
    expect('=');
    return { path: to, to: value() };
  }

  function whole<T>(parsed: T): T {
    if (peek() !== undefined) throw new SyntaxError(`"${peek()}" is left over: ${text}`);
    return parsed;
  }

  return {
    condition: () => whole(condition()),
    update: () => whole(update()),
    paths: () => whole(list(path)),
  };
}

const maxRemembered = 1000;

function remembered<T>(parse: (text: string) => T): (text: string) => T {
  const parsedTexts = new Map<string, T>();
  return (text) => {
    const parsed = parsedTexts.get(text) ?? parse(text);
    if (parsedTexts.size >= maxRemembered) parsedTexts.clear();
    parsedTexts.set(text, parsed);
    return parsed;
  };
}

/** The stores send the same few expressions again and again: each is parsed once. They throw `SyntaxError`. */
export const parseCondition = remembered((text) => parser(text).condition());
export const parseUpdate = remembered((text) => parser(text).update());
export const parsePaths = remembered((text) => parser(text).paths());
