import { type Expression, ExpressionSyntaxError, parseExpression, type Reference } from './expression.ts';
import { referencesIn, typeOfExpression, type ValueType } from './expression-types.ts';
import { excerpt, type FindingCode, type Report } from './findings.ts';
import type { FlowSource, ScreenSource } from './flow-source.ts';
import type { Located } from './located.ts';
import { resolveReference } from './reference-types.ts';

/** Where expressions are looked at, and the code for references that stand for nothing. */
export interface ExpressionContext {
  readonly flow: FlowSource;
  readonly screen: ScreenSource;
  readonly report: Report;
  readonly codeOf: (reference: Reference) => FindingCode;
}

/** The type of what a reference stands for; `unknown`, and a finding, when that is not there. */
export function checkReference(reference: Reference, at: Located, context: ExpressionContext): ValueType {
  const resolved = resolveReference(reference, context.screen, context.flow);
  if ('type' in resolved) return resolved.type;
  context.report.error(context.codeOf(reference), excerpt(resolved.fault), at);
  return 'unknown';
}

/**
 * The type and the references of an expression; undefined when it cannot be parsed.
 * @param source without backticks
 */
export function checkExpression(
  source: string,
  at: Located,
  context: ExpressionContext,
): { type: ValueType; references: Reference[] } | undefined {
  const fault = (message: string) => context.report.error('INVALID_PROPERTY_VALUE', `${excerpt(message)}.`, at);
  const expression = parsed(source, fault);
  if (expression === undefined) return undefined;
  const type = typeOfExpression(expression, (reference) => checkReference(reference, at, context), fault);
  return { type, references: referencesIn(expression) };
}

function parsed(source: string, onFault: (message: string) => void): Expression | undefined {
  try {
    return parseExpression(source);
  } catch (error) {
    if (!(error instanceof ExpressionSyntaxError)) throw error;
    onFault(error.message);
    return undefined;
  }
}
