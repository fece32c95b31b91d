import { excerpt, type Report } from '../findings.ts';
import type { Located } from '../located.ts';
import { declaredType } from '../reference-types.ts';
import type { Rule } from './rule.ts';

const forbiddenInNames = /[-\s'"`]/;
const maxDepth = 50;

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
  if (!checkSchema(field, report, 0)) return;
  const example = field.member('__example__');
  if (example === undefined) {
    report.error('INVALID_SCREEN_DATA', "Required property '__example__' is missing.", field);
  } else {
    checkExample(example, field, report, 0);
  }
}

/** Whether the schema is valid, so that an example can be compared with it. */
function checkSchema(schema: Located, report: Report, depth: number): boolean {
  const invalid = (message: string, at: Located = schema) => {
    report.error('INVALID_SCREEN_DATA', message, at);
    return false;
  };
  if (schema.type !== 'object') return invalid(`Expected a schema of type 'object' but found '${schema.type}'.`);
  if (depth > maxDepth) return invalid(`Schemas can be nested up to ${maxDepth} levels deep.`);
  const type = schema.member('type');
  if (type === undefined) return invalid("Required property 'type' is missing.");
  const declared = declaredType(schema);
  if (declared === undefined) {
    return invalid('Value should be one of: [string, number, integer, boolean, array, object].', type);
  }
  const nestedExample = depth > 0 ? schema.member('__example__') : undefined;
  if (nestedExample !== undefined) {
    return invalid("Property '__example__' is allowed only as a top level property.", nestedExample);
  }
  const items = schema.member('items');
  if (declared === 'array' && items === undefined) return invalid("Missing the schema for property 'items' in array.");
  const nested = [
    ...(declared === 'array' && items !== undefined ? [items] : []),
    ...(schema.member('properties')?.members() ?? []).map(({ value }) => value),
  ];
  return nested.map((child) => checkSchema(child, report, depth + 1)).every(Boolean);
}

function checkExample(example: Located, schema: Located, report: Report, depth: number): void {
  const declared = declaredType(schema) ?? 'unknown';
  if (depth > maxDepth || declared === 'unknown') return;
  if (example.type !== declared) {
    const message = `Property is expecting '${declared}' but got '${example.type}'.`;
    report.error('INVALID_SCREEN_DATA', message, example);
    return;
  }
  const items = schema.member('items');
  if (items !== undefined) for (const item of example.items()) checkExample(item, items, report, depth + 1);
  const properties = schema.member('properties');
  for (const { name, value } of example.members()) {
    const property = properties?.member(name);
    if (property !== undefined) checkExample(value, property, report, depth + 1);
  }
}
