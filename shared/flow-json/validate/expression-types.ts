import type { Binary, BinaryOperator, Expression, Reference, Unary } from '../document/expression.ts';

/** `unknown` is compatible with every type. */
export type ValueType = 'string' | 'number' | 'boolean' | 'array' | 'object' | 'unknown';

/** The type of the value that a reference points to. */
export type TypeOf = (reference: Reference) => ValueType;

/** Called for every fault. */
export type FaultListener = (message: string) => void;

const calculating: readonly BinaryOperator[] = ['+', '-', '/', '%', '*'];

/** The operand type of each operator. Equality compares any two values of the same type. */
function operandType(operator: BinaryOperator): ValueType | undefined {
  if (operator === '||' || operator === '&&') return 'boolean';
  return /^[<>]/.test(operator) || calculating.includes(operator) ? 'number' : undefined;
}

/** The type of an expression's value. */
export function typeOfExpression(expression: Expression, typeOf: TypeOf, onFault: FaultListener): ValueType {
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

/** Every reference in an expression, from left to right. */
export function referencesIn(expression: Expression): Reference[] {
  switch (expression.kind) {
    case 'literal':
      return [];
    case 'reference':
      return [expression];
    case 'unary':
      return referencesIn(expression.operand);
    case 'binary':
      return [...referencesIn(expression.left), ...referencesIn(expression.right)];
  }
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
