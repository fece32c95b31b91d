import {
  type Binary,
  type BinaryOperator,
  type Expression,
  ExpressionSyntaxError,
  isNested,
  parseExpression,
  parseReference,
  parseValue,
  type Reference,
  type Unary,
} from '#shared/flow-json/document/expression.ts';
import { textOf } from '#shared/flow-json/document/read-flow.ts';
import { type InputKind, inputKindOf } from '#shared/flow-json/document/values.ts';
import { excerpt, type Report } from './findings.ts';
import type { ComponentSource, FlowSource, Located, ScreenSource } from './flow-source.ts';

/** `unknown` is compatible with every type. */
export type ValueType = 'string' | 'number' | 'boolean' | 'array' | 'object' | 'unknown';

type TypeOf = (reference: Reference) => ValueType;

type FaultListener = (message: string) => void;

const calculating: readonly BinaryOperator[] = ['+', '-', '/', '%', '*'];

/** The operand type of each operator. Equality compares any two values of the same type. */
function operandType(operator: BinaryOperator): ValueType | undefined {
  if (operator === '||' || operator === '&&') return 'boolean';
  return /^[<>]/.test(operator) || calculating.includes(operator) ? 'number' : undefined;
}

function typeOfExpression(expression: Expression, typeOf: TypeOf, onFault: FaultListener): ValueType {
  switch (expression.kind) {
    case 'literal':
      return typeof expression.value as 'string' | 'number' | 'boolean';
    case 'reference':
      return typeOf(expression);
    case 'unary':
      return typeOfUnary(expression, typeOf, onFault);
    case 'binary':
      return typeOfBinary(expression, typeOf, onFault);
  }
}

export function isCompatible(actual: ValueType, expected: ValueType): boolean {
  return actual === expected || actual === 'unknown' || expected === 'unknown';
}

function typeOfUnary({ operator, operand, column }: Unary, typeOf: TypeOf, onFault: FaultListener): ValueType {
  const expected = operator === '!' ? 'boolean' : 'number';
  const actual = typeOfExpression(operand, typeOf, onFault);
  if (!isCompatible(actual, expected)) {
    onFault(`Operator '${operator}' expects '${expected}' but found '${actual}' at column ${column}`);
  }
  return expected;
}

function typeOfBinary(expression: Binary, typeOf: TypeOf, onFault: FaultListener): ValueType {
  const { operator, left, right, column } = expression;
  const types = [typeOfExpression(left, typeOf, onFault), typeOfExpression(right, typeOf, onFault)] as const;
  if (operator !== 'join' && left.kind === 'literal' && right.kind === 'literal') {
    onFault(`An operator cannot have literals on both sides, at column ${column}`);
  }
  const expected = operandType(operator);
  const wrong = expected && types.find((type) => !isCompatible(type, expected));
  if (wrong !== undefined) {
    onFault(`Operator '${operator}' expects '${expected}' but found '${wrong}' at column ${column}`);
  }
  const isEquality = operator === '==' || operator === '!=';
  if (isEquality && !isCompatible(types[0], types[1])) {
    onFault(`Cannot compare '${types[0]}' with '${types[1]}' at column ${column}`);
  }
  if (operator === 'join') return 'string';
  return calculating.includes(operator) ? 'number' : 'boolean';
}

export interface Context {
  readonly flow: FlowSource;
  readonly screen: ScreenSource;
  readonly report: Report;
}

export function typeOfValue(value: Located, context: Context): { type: ValueType | 'null'; isDynamic: boolean } {
  const { type, string: text = '' } = value;
  const isDynamic = parseReference(text) !== undefined || isNested(text);
  return { type: isDynamic ? typeOfDynamic(text, context) : type, isDynamic };
}

/** Ignores faults inside an expression: the rule for dynamic data reports them. */
function typeOfDynamic(text: string, { screen, flow }: Context): ValueType {
  const typeOf = (reference: Reference) => {
    const resolved = resolveReference(reference, screen, flow);
    return 'type' in resolved ? resolved.type : 'unknown';
  };
  try {
    return typeOfExpression(parseValue(text), typeOf, () => {});
  } catch (error) {
    if (error instanceof ExpressionSyntaxError) return 'unknown';
    throw error;
  }
}

/** What a reference points to, as far as the document says, or why it points to nothing. */
type Resolved =
  | {
      readonly type: ValueType;
      /** The declared schema, for data. */
      readonly schema?: Located;
    }
  | {
      readonly fault: string;
      /** It points inside an array, whose items have no names. */
      readonly isInArray?: true;
    };

const typesOfInputs: Readonly<Record<InputKind, ValueType>> = {
  string: 'string',
  strings: 'array',
  boolean: 'boolean',
  period: 'unknown',
  media: 'array',
};

const dataTypes: ReadonlyMap<string, ValueType> = new Map([
  ['string', 'string'],
  ['number', 'number'],
  ['integer', 'number'],
  ['boolean', 'boolean'],
  ['array', 'array'],
  ['object', 'object'],
]);

/** The type that the schema of a field declares; undefined if it is not valid. */
export function declaredType(schema: Located): ValueType | undefined {
  return dataTypes.get(schema.member('type')?.string ?? '');
}

export function resolveReference(reference: Reference, screen: ScreenSource, flow: FlowSource): Resolved {
  if (reference.screen === undefined) return resolveOn(screen, reference);
  if (reference.screen === screen.id) {
    return { fault: `Property '${reference.text}' cannot refer to its own screen '${screen.id}' by name.` };
  }
  const other = flow.screensById.get(reference.screen);
  return other === undefined ? { fault: `Unknown screen '${reference.screen}'.` } : resolveOn(other, reference);
}

function resolveOn(screen: ScreenSource, reference: Reference): Resolved {
  return reference.source === 'data' ? resolveData(screen, reference) : resolveInput(screen, reference);
}

function resolveInput(screen: ScreenSource, { text, path: [name, ...rest] }: Reference): Resolved {
  const input = screen.inputs.get(name);
  if (input === undefined) return { fault: `Missing Form component ${text} for screen '${screen.id}'.` };
  return { type: rest.length > 0 ? 'unknown' : typeOfInput(input) };
}

/** The input for a number holds text that is compared as a number, so either type is accepted. */
function typeOfInput(component: ComponentSource): ValueType {
  const input = inputKindOf(component.type);
  if (textOf(component.node, 'input-type') === 'number') return 'unknown';
  return input === undefined ? 'unknown' : typesOfInputs[input];
}

function resolveData(screen: ScreenSource, { text, path: [first, ...rest] }: Reference): Resolved {
  let schema = screen.data.get(first);
  for (const name of rest) {
    if (schema && declaredType(schema) === 'array')
      return { fault: `Property '${text}' cannot point inside an array.`, isInArray: true };
    schema = schema?.member('properties')?.member(name);
  }
  if (schema === undefined)
    return { fault: `Missing dynamic data '${text}' in the data model for screen ${screen.id}.` };
  return { type: declaredType(schema) ?? 'unknown', schema };
}

export interface ExpressionContext extends Context {
  /** The action that contains it, such as `on-click-action`; undefined for other properties. */
  readonly action?: string | undefined;
}

/** The type of the value that a reference points to. If there is none, reports that and returns `unknown`. */
export function checkReference(reference: Reference, at: Located, context: ExpressionContext): ValueType {
  const resolved = resolveReference(reference, context.screen, context.flow);
  if ('type' in resolved) return resolved.type;
  const code = resolved.isInArray ? 'INVALID_SCREEN_DYNAMIC_DATA' : codeOfMissing(reference, context.action);
  context.report.error(code, excerpt(resolved.fault), at);
  return 'unknown';
}

/** Meta's codes for a reference that points to nothing. */
function codeOfMissing({ screen, source }: Reference, action: string | undefined): string {
  if (screen !== undefined) return 'INVALID_SCREEN_DATA';
  if (action === 'on-click-action') return 'INVALID_ON_CLICK_ACTION_PAYLOAD';
  return action !== undefined && source === 'data' ? 'INVALID_ACTION_PAYLOAD_PROPERTY' : 'INVALID_SCREEN_DYNAMIC_DATA';
}

/**
 * The type of an expression, and whether it has references; undefined when it cannot be parsed.
 * @param source without backticks
 */
export function checkExpression(
  source: string,
  at: Located,
  context: ExpressionContext,
): { type: ValueType; hasReferences: boolean } | undefined {
  let hasReferences = false;
  const typeOf = (reference: Reference) => {
    hasReferences = true;
    return checkReference(reference, at, context);
  };
  const fault = (message: string) => context.report.error('INVALID_PROPERTY_VALUE', `${excerpt(message)}.`, at);
  try {
    const type = typeOfExpression(parseExpression(source), typeOf, fault);
    return { type, hasReferences };
  } catch (error) {
    if (!(error instanceof ExpressionSyntaxError)) throw error;
    fault(error.message);
    return undefined;
  }
}
