import { type Expression, ExpressionSyntaxError, parseExpression, type Reference } from '../document/expression.ts';
import type { FindingCode } from '../document/finding-code.ts';
import { excerpt, type Report } from './findings.ts';
import type { FlowSource, Located, ScreenSource } from './flow-source.ts';
import { referencesIn, resolveReference, typeOfExpression, type ValueType } from './value-types.ts';

/** Where an expression is checked. */
export interface ExpressionContext {
  readonly flow: FlowSource;
  readonly screen: ScreenSource;
  readonly report: Report;
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
function codeOfMissing({ screen, source }: Reference, action: string | undefined): FindingCode {
  if (screen !== undefined) return 'INVALID_SCREEN_DATA';
  if (action === 'on-click-action') return 'INVALID_ON_CLICK_ACTION_PAYLOAD';
  return action !== undefined && source === 'data' ? 'INVALID_ACTION_PAYLOAD_PROPERTY' : 'INVALID_SCREEN_DYNAMIC_DATA';
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
