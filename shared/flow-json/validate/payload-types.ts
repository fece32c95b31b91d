import { ExpressionSyntaxError, isNested, parseReference, parseValue, type Reference } from '../document/expression.ts';
import type { FindingCode } from '../document/finding-code.ts';
import { isCompatible, typeOfExpression, type ValueType } from './expression-types.ts';
import type { Report } from './findings.ts';
import type { FlowSource, ScreenSource } from './flow-source.ts';
import type { Located } from './located.ts';
import { declaredType, resolveReference } from './reference-types.ts';

export interface PayloadContext {
  readonly flow: FlowSource;
  /** The screen that contains the action. */
  readonly screen: ScreenSource;
  readonly report: Report;
}

/** Compares the members of a payload with the data model that receives them. */
export function checkPayloadTypes(
  payload: Located,
  model: ReadonlyMap<string, Located>,
  context: PayloadContext,
  codes: { readonly literal: FindingCode; readonly dynamic: FindingCode },
): void {
  for (const { name, value } of payload.members()) {
    const schema = model.get(name);
    const expected = schema === undefined ? undefined : declaredType(schema);
    const { type, isDynamic } = typeOfValue(value, context);
    if (expected === undefined || (type !== 'null' && isCompatible(type, expected))) continue;
    const message = `Property is expecting '${expected}' but got '${type}'.`;
    context.report.error(isDynamic ? codes.dynamic : codes.literal, message, value);
  }
}

function typeOfValue(value: Located, context: PayloadContext): { type: ValueType | 'null'; isDynamic: boolean } {
  const { type, string: text = '' } = value;
  const isDynamic = parseReference(text) !== undefined || isNested(text);
  return { type: isDynamic ? typeOfDynamic(text, context) : type, isDynamic };
}

/** Ignores faults inside an expression: the rule for dynamic data reports them. */
function typeOfDynamic(text: string, { screen, flow }: PayloadContext): ValueType {
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
