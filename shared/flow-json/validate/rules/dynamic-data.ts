import { rulesOf } from '#shared/flow-json/document/components.ts';
import { isNested, parseReference, type Reference } from '#shared/flow-json/document/expression.ts';
import { isRequired, lookUp, type Shape } from '#shared/flow-json/document/shapes.ts';
import { isAtLeast, type Version } from '#shared/flow-json/document/versions.ts';
import { checkExpression, checkReference, type ExpressionContext } from '../check-expression.ts';
import { isCompatible, type ValueType } from '../expression-types.ts';
import { excerpt, type Report } from '../findings.ts';
import type { ComponentSource, FlowSource, ScreenSource } from '../flow-source.ts';
import type { Located } from '../located.ts';
import { resolveReference } from '../reference-types.ts';
import type { Rule } from './rule.ts';

const embeddedReference = /\$\{(?:data|form|screen)\./;
const branchKinds: readonly (Shape['kind'] | undefined)[] = ['components', 'cases'];
const expressionsSince = '6.0';
const payloadExpressionsSince = '7.2';

/** Dynamic values point to something, have the expected type, and are the whole text. */
export const checkDynamicData: Rule = (flow, report) => {
  for (const screen of flow.screens) {
    const checker = new DynamicDataChecker(flow, screen, report);
    const title = screen.node.member('title');
    if (title !== undefined) checker.check(title, { expected: ['string'] });
    for (const component of screen.allComponents) checkComponent(component, checker);
  }
};

function checkComponent({ type, node }: ComponentSource, checker: DynamicDataChecker): void {
  const rules = rulesOf(type);
  if (rules === undefined) return;
  for (const { name, value } of node.members()) {
    const property = lookUp(rules.properties, name);
    if (property === undefined || property.literal || branchKinds.includes(property.shape.kind)) continue;
    if (property.shape.kind === 'action') checker.check(value, { action: name });
    else checker.check(value, { expected: expectedTypes(property.shape), shape: property.shape });
  }
}

/** The place of a value: in a property of these types, or in an action. */
interface Context {
  readonly expected?: readonly ValueType[];
  readonly shape?: Shape;
  readonly action?: string;
}

class DynamicDataChecker {
  readonly #flow: FlowSource;
  readonly #screen: ScreenSource;
  readonly #report: Report;

  constructor(flow: FlowSource, screen: ScreenSource, report: Report) {
    this.#flow = flow;
    this.#screen = screen;
    this.#report = report;
  }

  check(value: Located, context: Context): void {
    if (value.string !== undefined) {
      this.#checkText(value, value.string, context);
      return;
    }
    const inside = { ...(context.action !== undefined && { action: context.action }) };
    for (const item of value.items()) this.check(item, inside);
    for (const member of value.members()) {
      const isAction = member.name.startsWith('on-') && member.name.endsWith('-action');
      this.check(member.value, isAction ? { action: member.name } : inside);
    }
  }

  #checkText(value: Located, text: string, context: Context): void {
    const reference = parseReference(text);
    if (reference !== undefined) {
      this.#checkType(value, checkReference(reference, value, this.#expressions(context)), context);
      this.#checkSchema(value, reference, context);
    } else if (this.#isExpression(text, context)) {
      const checked = checkExpression(text.slice(1, -1), value, this.#expressions(context));
      if (checked !== undefined) this.#checkType(value, checked.type, context);
    } else if (embeddedReference.test(text) && !isNested(text)) {
      const message = 'A dynamic value should be the whole text; this one is shown as written.';
      this.#report.warning('INVALID_TEXT_DYNAMIC_DATA', message, value);
    }
  }

  #expressions({ action }: Context): ExpressionContext {
    return { flow: this.#flow, screen: this.#screen, report: this.#report, action };
  }

  #isExpression(text: string, { action }: Context): boolean {
    const since = action === undefined ? expressionsSince : payloadExpressionsSince;
    return isNested(text) && isAtLeast(this.#flow.version, since);
  }

  #checkSchema(value: Located, reference: Reference, { shape }: Context): void {
    const resolved = resolveReference(reference, this.#screen, this.#flow);
    if (shape === undefined || !('schema' in resolved)) return;
    const missing = missingIn(resolved.schema, shape, this.#flow.version);
    if (missing === undefined) return;
    const message = `Data model schema is invalid for '${excerpt(reference.text)}'. Missing schema for '${missing}'.`;
    this.#report.error('INVALID_SCREEN_DYNAMIC_DATA', message, value);
  }

  #checkType(value: Located, actual: ValueType, { expected }: Context): void {
    if (expected === undefined || expected.some((type) => isCompatible(actual, type))) return;
    const message = `Expected a dynamic value of type '${expected.join("' or '")}' but found '${actual}'.`;
    this.#report.error('INVALID_SCREEN_DYNAMIC_DATA', message, value);
  }
}

/** The first member that the shape requires and that the schema, if it has any `properties`, does not declare. */
function missingIn(schema: Located | undefined, shape: Shape, version: Version): string | undefined {
  if (shape.kind === 'list') return missingIn(schema?.member('items'), shape.items, version);
  const properties = schema?.member('properties');
  if (shape.kind !== 'object' || properties === undefined || properties.names().length === 0) return undefined;
  for (const [name, property] of Object.entries(shape.properties)) {
    const member = properties.member(name);
    if (member === undefined && isRequired(property, version)) return name;
    const missing = missingIn(member, property.shape, version);
    if (missing !== undefined) return `${name}.${missing}`;
  }
  return undefined;
}

function expectedTypes(shape: Shape): ValueType[] {
  switch (shape.kind) {
    case 'string':
    case 'boolean':
    case 'number':
      return [shape.kind];
    case 'list':
      return ['array'];
    case 'either':
      return shape.shapes.flatMap(expectedTypes);
    default:
      return ['object'];
  }
}
