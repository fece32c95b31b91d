import { isObject, type JsonObject, objectOf, own, textOr } from '#shared/base/json.ts';
import {
  ExpressionSyntaxError,
  evaluate,
  type Lookup,
  parseExpression,
  parseValue,
  toText,
} from '../document/expression.ts';
import { isActionProperty, isBranchProperty } from '../document/read-flow.ts';
import type { Component } from './model.ts';

/** A component ready to be drawn: Forms, Ifs and Switches are resolved, and so are dynamic values. */
export interface VisibleComponent {
  readonly type: string;
  readonly key: string;
  /** Actions are still as written: their payloads are resolved when they run. */
  readonly properties: JsonObject;
}

const maxDepth = 20;

/** The value with every dynamic text in it replaced by its value. */
export function resolve(value: unknown, lookup: Lookup, depth = 0): unknown {
  if (typeof value === 'string') return resolveText(value, lookup);
  if (depth > maxDepth) return undefined;
  if (Array.isArray(value)) return value.map((item) => resolve(item, lookup, depth + 1));
  if (!isObject(value)) return value;
  return objectOf(
    Object.entries(value).map(([name, member]) => [
      name,
      isActionProperty(name) ? member : resolve(member, lookup, depth + 1),
    ]),
  );
}

/** The visible ones of these components, from top to bottom. */
export function visibleComponents(components: readonly Component[], lookup: Lookup): VisibleComponent[] {
  return components.flatMap((component) => visible(component, lookup));
}

function visible(component: Component, lookup: Lookup): VisibleComponent[] {
  const { type, key, branches } = component;
  const properties = component.node.value;
  if (!isObject(properties)) return [];
  const branch = (name: string) => visibleComponents(branches.get(name) ?? [], lookup);
  switch (type) {
    case 'Form':
      return withFormErrors(branch('children'), resolve(own(properties, 'error-messages'), lookup));
    case 'If':
      return branch(holds(own(properties, 'condition'), lookup) ? 'then' : 'else');
    case 'Switch': {
      const value = toText(resolve(own(properties, 'value'), lookup));
      return branch(branches.has(value) ? value : 'default');
    }
  }
  const { visible: isVisible, ...rest } = resolve(withoutBranches(properties), lookup) as JsonObject;
  return isVisible === false ? [] : [{ type, key, properties: rest }];
}

function withFormErrors(components: VisibleComponent[], errors: unknown): VisibleComponent[] {
  return components.map((component) => {
    const error = own(errors, textOr(own(component.properties, 'name'), ''));
    if (error === undefined) return component;
    return { ...component, properties: { ...component.properties, 'error-message': error } };
  });
}

function withoutBranches(properties: JsonObject): JsonObject {
  return objectOf(Object.entries(properties).filter(([name]) => !isBranchProperty(name)));
}

function holds(condition: unknown, lookup: Lookup): boolean {
  if (typeof condition !== 'string') return condition === true;
  return orUndefined(() => evaluate(parseExpression(condition), lookup)) === true;
}

/** A text that cannot be parsed is shown as written. */
function resolveText(text: string, lookup: Lookup): unknown {
  if (!text.startsWith('$') && !text.startsWith('`') && !text.startsWith('\\')) return text;
  const expression = orUndefined(() => parseValue(text));
  return expression === undefined ? text : evaluate(expression, lookup);
}

function orUndefined<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch (error) {
    if (error instanceof ExpressionSyntaxError) return undefined;
    throw error;
  }
}
