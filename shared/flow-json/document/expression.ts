/** A dynamic value: `${data.x}`, `${form.x}`, `${screen.ID.data.x}`, `${screen.ID.form.x}`. */
export interface Reference {
  readonly kind: 'reference';
  readonly text: string;
  readonly source: 'data' | 'form';
  /** Undefined for the screen that contains the reference. */
  readonly screen: string | undefined;
  /** The names to follow, at least one. */
  readonly path: readonly [string, ...string[]];
}

export interface Literal {
  readonly kind: 'literal';
  readonly value: string | number | boolean;
}

/** `join` stands for two operands next to each other, without an operator between them. */
export type BinaryOperator = '||' | '&&' | '==' | '!=' | '<' | '<=' | '>' | '>=' | 'join' | '+' | '-' | '/' | '%' | '*';

export interface Unary {
  readonly kind: 'unary';
  readonly operator: '!' | '-';
  readonly operand: Expression;
  readonly column: number;
}

export interface Binary {
  readonly kind: 'binary';
  readonly operator: BinaryOperator;
  readonly left: Expression;
  readonly right: Expression;
  readonly column: number;
}

export type Expression = Reference | Literal | Unary | Binary;

/** The value that a reference points to; undefined if there is none (yet). */
export type Lookup = (reference: Reference) => unknown;

export class ExpressionSyntaxError extends Error {}

interface Token {
  readonly kind: 'reference' | 'number' | 'string' | 'word' | 'symbol' | 'end';
  readonly text: string;
  /** Counted from 1. */
  readonly column: number;
}

/** These limit the depth of the tree and the length of names, and so the stack that walking and matching need. */
const maxTokens = 500;
const maxChars = 10_000;

const referencePattern = /^\$\{(?:screen\.([A-Za-z_]+)\.)?(data|form)((?:\.[\w-]+)+)\}$/;
const tokenPattern =
  /(?<reference>\$\{[^{}]*\})|(?<number>\d+(?:\.\d+)?)|(?<string>'(?:[^'\\]|\\.)*')|(?<word>\w+)|(?<symbol>[=!<>]=|&&|\|\||[-+/%*!<>()])/suy;
const spacePattern = /\s*/y;

/** Those that bind the least come first. */
const operators = [['||'], ['&&'], ['==', '!='], ['<', '<=', '>', '>='], ['join'], ['+', '-'], ['/', '%', '*']];
const bindingPowers: ReadonlyMap<string, number> = new Map(
  operators.flatMap((equals, index) => equals.map((operator) => [operator, index + 1])),
);
const prefixPower = operators.length + 1;

/** The reference, if the whole text is one. */
export function parseReference(text: string): Reference | undefined {
  const [, screen, source, names] = (text.length <= maxChars && referencePattern.exec(text)) || [];
  const [first, ...rest] = (names ?? '').slice(1).split('.');
  if (first === undefined || (source !== 'data' && source !== 'form')) return undefined;
  return { kind: 'reference', text, source, screen, path: [first, ...rest] };
}

/** Returns whether a text is an expression in backticks. */
export function isNested(text: string): boolean {
  return text.length > 2 && text.startsWith('`') && text.endsWith('`');
}

/**
 * Parses the condition of an If, or the text between backticks elsewhere (Meta's page "Flow JSON", section "Nested
 * expressions"). Throws {@link ExpressionSyntaxError}.
 */
export function parseExpression(source: string): Expression {
  return new Parser(tokenise(source)).parse();
}

/** Parses the text of a property: a reference, an expression in backticks, or else plain text. */
export function parseValue(text: string): Expression {
  const reference = parseReference(text);
  if (reference !== undefined) return reference;
  if (isNested(text)) return parseExpression(text.slice(1, -1));
  return { kind: 'literal', value: text.startsWith('\\`') ? text.slice(1) : text };
}

/** The value of an expression. Operands of the wrong type are converted; a division by zero yields 0. */
export function evaluate(expression: Expression, lookup: Lookup): unknown {
  switch (expression.kind) {
    case 'literal':
      return expression.value;
    case 'reference':
      return lookup(expression);
    case 'unary': {
      const operand = evaluate(expression.operand, lookup);
      return expression.operator === '!' ? operand !== true : -toNumber(operand);
    }
    case 'binary':
      return combine(expression, lookup);
  }
}

function combine({ operator, left, right }: Binary, lookup: Lookup): unknown {
  const a = evaluate(left, lookup);
  if (operator === '&&') return a === true && evaluate(right, lookup) === true;
  if (operator === '||') return a === true || evaluate(right, lookup) === true;
  const b = evaluate(right, lookup);
  switch (operator) {
    case 'join':
      return toText(a) + toText(b);
    case '==':
      return equals(a, b);
    case '!=':
      return !equals(a, b);
    default:
      return calculations[operator](toNumber(a), toNumber(b));
  }
}

type NumberOperator = Exclude<BinaryOperator, '||' | '&&' | '==' | '!=' | 'join'>;

const calculations: Readonly<Record<NumberOperator, (a: number, b: number) => unknown>> = {
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => (b === 0 ? 0 : a / b),
  '%': (a, b) => (b === 0 ? 0 : a % b),
};

/** Inputs hold numbers as text, so `'7'` equals 7; an empty input equals the empty text. */
function equals(a: unknown, b: unknown): boolean {
  if (typeof a === 'number' || typeof b === 'number') {
    return typeof a !== 'boolean' && typeof b !== 'boolean' && toText(a) !== '' && toNumber(a) === toNumber(b);
  }
  return (a ?? '') === (b ?? '');
}

function toNumber(value: unknown): number {
  if (typeof value === 'number') return value;
  const number = typeof value === 'string' ? Number(value) : 0;
  return Number.isFinite(number) ? number : 0;
}

export function toText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function tokenise(source: string): Token[] {
  if (source.length > maxChars) throw new ExpressionSyntaxError(`Found more than ${maxChars} characters`);
  const tokens: Token[] = [];
  let at = 0;
  for (;;) {
    spacePattern.lastIndex = at;
    spacePattern.test(source);
    at = spacePattern.lastIndex;
    const column = at + 1;
    if (at >= source.length) return [...tokens, { kind: 'end', text: '', column }];
    if (tokens.length >= maxTokens) throw new ExpressionSyntaxError(`Found more than ${maxTokens} operands`);
    tokenPattern.lastIndex = at;
    const groups = tokenPattern.exec(source)?.groups;
    const [kind, text] = Object.entries(groups ?? {}).find(([, matched]) => matched !== undefined) ?? [];
    if (text === undefined) throw new ExpressionSyntaxError(`Found unexpected character at column ${column}`);
    tokens.push({ kind: kind as Token['kind'], text, column });
    at += text.length;
  }
}

/** A Pratt parser: it reads an operand, then operators for as long as they bind more tightly than the previous one. */
class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  parse(): Expression {
    const expression = this.#expression(0);
    const { kind, text, column } = this.#next();
    if (kind !== 'end') throw new ExpressionSyntaxError(`Found unexpected '${text}' at column ${column}`);
    return expression;
  }

  #expression(power: number): Expression {
    let left = this.#operand();
    for (;;) {
      const token = this.#peek();
      const operator = operatorBefore(token);
      const nextPower = operator === undefined ? 0 : (bindingPowers.get(operator) ?? 0);
      if (operator === undefined || nextPower <= power) return left;
      if (operator !== 'join') this.#next();
      left = { kind: 'binary', operator, left, right: this.#expression(nextPower), column: token.column };
    }
  }

  #operand(): Expression {
    const token = this.#next();
    switch (token.kind) {
      case 'number':
        return { kind: 'literal', value: Number(token.text) };
      case 'string':
        return { kind: 'literal', value: token.text.slice(1, -1).replace(/\\(.)/gsu, '$1') };
      case 'reference':
        return referenceOf(token);
      case 'word':
        return booleanOf(token);
      case 'symbol':
        return this.#prefixed(token);
      case 'end':
        throw new ExpressionSyntaxError(`Found the end where a value should be at column ${token.column}`);
    }
  }

  #prefixed({ text, column }: Token): Expression {
    if (text === '!' || text === '-') {
      return { kind: 'unary', operator: text, operand: this.#expression(prefixPower), column };
    }
    if (text !== '(') throw new ExpressionSyntaxError(`Found unexpected '${text}' at column ${column}`);
    if (this.#peek().text === ')')
      throw new ExpressionSyntaxError(`Found invalid empty parentheses at column ${column}`);
    const inner = this.#expression(0);
    const close = this.#next();
    if (close.text !== ')') throw new ExpressionSyntaxError(`Found unclosed parenthesis at column ${column}`);
    return inner;
  }

  #peek(): Token {
    return this.#tokens[this.#at] ?? { kind: 'end', text: '', column: 1 };
  }

  #next(): Token {
    const token = this.#peek();
    this.#at += 1;
    return token;
  }
}

function operatorBefore({ kind, text }: Token): BinaryOperator | undefined {
  if (kind === 'end' || text === ')') return undefined;
  if (kind !== 'symbol' || text === '(') return 'join';
  return bindingPowers.has(text) ? (text as BinaryOperator) : undefined;
}

function referenceOf({ text, column }: Token): Reference {
  const reference = parseReference(text);
  if (reference === undefined)
    throw new ExpressionSyntaxError(`Found invalid dynamic data '${text}' at column ${column}`);
  return reference;
}

function booleanOf({ text, column }: Token): Literal {
  if (text === 'true' || text === 'false') return { kind: 'literal', value: text === 'true' };
  throw new ExpressionSyntaxError(`Found unexpected '${text}' at column ${column}`);
}
