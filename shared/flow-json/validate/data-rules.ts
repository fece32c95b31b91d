import { rulesOf } from '#shared/flow-json/document/components.ts';
import { documentProperties, screenProperties } from '#shared/flow-json/document/document-properties.ts';
import { isNested, parseReference, type Reference } from '#shared/flow-json/document/expression.ts';
import { isActionProperty } from '#shared/flow-json/document/read-flow.ts';
import { any, isRequired, lookUp, optional, type Shape, string } from '#shared/flow-json/document/shapes.ts';
import { isAtLeast, type Version } from '#shared/flow-json/document/versions.ts';
import { ShapeChecker } from './check-shape.ts';
import { excerpt, type Report } from './findings.ts';
import type { ComponentSource, Located } from './flow-source.ts';
import {
  type Context,
  checkExpression,
  checkReference,
  declaredType,
  isCompatible,
  resolveReference,
  type ValueType,
} from './value-types.ts';
import type { Rule } from './version-rules.ts';

const forbiddenInNames = /[-\s'"`]/;

/** The data model of each screen: a schema and an example for every field. */
export const checkData: Rule = ({ screens }, report) => {
  for (const { node } of screens) {
    for (const { name, key, value } of node.member('data')?.members() ?? []) {
      if (forbiddenInNames.test(name)) {
        const message = `Data field '${excerpt(name)}' should not have a hyphen, a space, a quote or a backtick in its name.`;
        report.error('PROPERTY_NAME_MISMATCH', message, key);
      }
      checkField(value, report);
    }
  }
};

function checkField(field: Located, report: Report): void {
  if (!checkFieldSchema(field, report)) return;
  const example = field.member('__example__');
  if (example === undefined) {
    report.error('INVALID_SCREEN_DATA', "Required property '__example__' is missing.", field);
  } else {
    checkExample(example, field, report);
  }
}

/** Returns whether the schema is valid, so that an example can be compared with it. */
function checkFieldSchema(schema: Located, report: Report, isInner = false): boolean {
  const invalid = (message: string, at: Located = schema) => {
    report.error('INVALID_SCREEN_DATA', message, at);
    return false;
  };
  if (schema.type !== 'object') return invalid(`Expected a schema of type 'object' but found '${schema.type}'.`);
  const type = schema.member('type');
  if (type === undefined) return invalid("Required property 'type' is missing.");
  const declared = declaredType(schema);
  if (declared === undefined) {
    return invalid('Value should be one of: [string, number, integer, boolean, array, object].', type);
  }
  const nestedExample = schema.member('__example__');
  if (isInner && nestedExample !== undefined) {
    return invalid("Property '__example__' is allowed only as a top level property.", nestedExample);
  }
  const items = schema.member('items');
  if (declared === 'array' && items === undefined) return invalid("Missing the schema for property 'items' in array.");
  const nested = [
    ...(declared === 'array' && items !== undefined ? [items] : []),
    ...(schema.member('properties')?.members() ?? []).map(({ value }) => value),
  ];
  return nested.map((child) => checkFieldSchema(child, report, true)).every(Boolean);
}

function checkExample(example: Located, schema: Located, report: Report): void {
  const declared = declaredType(schema) ?? 'unknown';
  if (declared === 'unknown') return;
  if (example.type !== declared) {
    const message = `Property is expecting '${declared}' but got '${example.type}'.`;
    report.error('INVALID_SCREEN_DATA', message, example);
    return;
  }
  const items = schema.member('items');
  if (items !== undefined) for (const item of example.items()) checkExample(item, items, report);
  const properties = schema.member('properties');
  for (const { name, value } of example.members()) {
    const property = properties?.member(name);
    if (property !== undefined) checkExample(value, property, report);
  }
}

const embeddedReference = /\$\{(?:data|form|screen)\./;
const branchKinds: readonly (Shape['kind'] | undefined)[] = ['components', 'cases'];
const expressionsSince = '6.0';
const payloadExpressionsSince = '7.2';

/** Dynamic values point to something, have the expected type, and are the whole text. */
export const checkDynamicData: Rule = (flow, report) => {
  for (const screen of flow.screens) {
    const context = { flow, screen, report };
    const title = screen.node.member('title');
    if (title !== undefined) checkValue(title, { shape: string }, context);
    for (const component of screen.allComponents) checkComponent(component, context);
  }
};

function checkComponent({ type, node }: ComponentSource, context: Context): void {
  const rules = rulesOf(type);
  if (rules === undefined) return;
  for (const { name, value } of node.members()) {
    const property = lookUp(rules.properties, name);
    if (property === undefined || property.literal || branchKinds.includes(property.shape.kind)) continue;
    checkValue(value, property.shape.kind === 'action' ? { action: name } : { shape: property.shape }, context);
  }
}

/** What a value is in: a property of this shape, or an action. */
interface Container {
  readonly shape?: Shape;
  readonly action?: string | undefined;
}

function checkValue(value: Located, container: Container, context: Context): void {
  if (value.string !== undefined) {
    checkText(value, value.string, container, context);
    return;
  }
  const inside = { action: container.action };
  for (const item of value.items()) checkValue(item, inside, context);
  for (const member of value.members()) {
    checkValue(member.value, isActionProperty(member.name) ? { action: member.name } : inside, context);
  }
}

function checkText(value: Located, text: string, { shape, action }: Container, context: Context): void {
  const reference = parseReference(text);
  const since = action === undefined ? expressionsSince : payloadExpressionsSince;
  if (reference !== undefined) {
    checkType(value, checkReference(reference, value, { ...context, action }), shape, context);
    checkDeclared(value, reference, shape, context);
  } else if (isNested(text) && isAtLeast(context.flow.version, since)) {
    const checked = checkExpression(text.slice(1, -1), value, { ...context, action });
    if (checked !== undefined) checkType(value, checked.type, shape, context);
  } else if (embeddedReference.test(text) && !isNested(text)) {
    const message = 'A dynamic value should be the whole text; this one is shown as written.';
    context.report.warning('INVALID_TEXT_DYNAMIC_DATA', message, value);
  }
}

function checkDeclared(value: Located, reference: Reference, shape: Shape | undefined, context: Context): void {
  const { flow, screen, report } = context;
  const resolved = resolveReference(reference, screen, flow);
  if (shape === undefined || !('schema' in resolved)) return;
  const missing = missingIn(resolved.schema, shape, flow.version);
  if (missing === undefined) return;
  const message = `Data model schema is invalid for '${excerpt(reference.text)}'. Missing schema for '${missing}'.`;
  report.error('INVALID_SCREEN_DYNAMIC_DATA', message, value);
}

function checkType(value: Located, actual: ValueType, shape: Shape | undefined, { report }: Context): void {
  const expected = shape && expectedTypes(shape);
  if (expected === undefined || expected.some((type) => isCompatible(actual, type))) return;
  const message = `Expected a dynamic value of type '${expected.join("' or '")}' but found '${actual}'.`;
  report.error('INVALID_SCREEN_DYNAMIC_DATA', message, value);
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

const checkedElsewhere = { version: optional(any), data_api_version: optional(any) };

/** Names, types, values and formats of everything that the tables describe. */
export const checkSchema: Rule = ({ document, version, screens }, report) => {
  const checker = new ShapeChecker(version, report);
  checker.checkObject(document, { ...documentProperties, ...checkedElsewhere }, 'Flow JSON');
  for (const { node } of screens) checker.checkObject(node, screenProperties, 'screen');
};
