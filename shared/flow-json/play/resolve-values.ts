import { isObject, type JsonObject, listOf, objectOf, own, textOr } from '#shared/base/json.ts';
import type { ComponentLimits, PropertyLimits, ValueLimits } from '#shared/flow-json/document/components.ts';
import {
  ExpressionSyntaxError,
  evaluate,
  type Lookup,
  parseExpression,
  parseValue,
  toText,
} from '#shared/flow-json/document/expression.ts';
import { isActionProperty, isBranchProperty } from '#shared/flow-json/document/read-flow.ts';
import { lookUp } from '#shared/flow-json/document/shapes.ts';
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

/** The actions to run when an input changes: of deselected options, of selected options, then of the input itself. */
export function selectionActions({ properties }: VisibleComponent, before: unknown, after: unknown): unknown[] {
  const removed = selected(before).filter((id) => !selected(after).includes(id));
  const added = selected(after).filter((id) => !selected(before).includes(id));
  if (added.length === 0 && removed.length === 0) return [];
  const options = listOf(own(properties, 'data-source'));
  const ofOptions = (ids: readonly unknown[], name: string) =>
    options.filter((option) => ids.includes(own(option, 'id'))).map((option) => own(option, name));
  // An input without an action for deselection runs the one for selection.
  const onUnselect = own(properties, 'on-unselect-action') ?? own(properties, 'on-select-action');
  const ofGroup = added.length > 0 ? own(properties, 'on-select-action') : onUnselect;
  return [...ofOptions(removed, 'on-unselect-action'), ...ofOptions(added, 'on-select-action'), ofGroup].filter(
    (action) => action !== undefined,
  );
}

/** The value of an input as a list: the ids of options, or the value of an OptIn, a date or a whole period. */
function selected(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (isObject(value) && Object.keys(value).length < 2) return [];
  return value === undefined || value === '' || value === false ? [] : [value];
}

/** The component as a phone shows it: long texts and lists are cut, and missing limits are filled in. */
export function asShown(component: VisibleComponent, limits: ComponentLimits): VisibleComponent {
  const ownLimits = lookUp(limits, component.type);
  if (ownLimits === undefined) return component;
  const properties = cutMembers(component.properties, ownLimits);
  const fallbacks = Object.entries(ownLimits)
    .filter(([name, { fallback }]) => fallback !== undefined && numberOf(properties, name) === undefined)
    .map(([name, { fallback }]) => [name, fallback]);
  return { ...component, properties: { ...properties, ...Object.fromEntries(fallbacks) } };
}

/** A limit that a component sets itself. Older Flows write numbers as text. */
export function numberOf(properties: JsonObject, name: string): number | undefined {
  const value = own(properties, name);
  if (typeof value !== 'number' && (typeof value !== 'string' || value === '')) return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

function cut(value: unknown, limits: ValueLimits | undefined): unknown {
  if (limits === undefined) return value;
  const { maxChars = Number.POSITIVE_INFINITY, maxItems, members } = limits;
  if (typeof value === 'string') return value.length > maxChars ? `${value.slice(0, maxChars - 1)}…` : value;
  if (Array.isArray(value)) return value.slice(0, maxItems).map((item) => cut(item, limits));
  return isObject(value) && members !== undefined ? cutMembers(value, members) : value;
}

function cutMembers(object: JsonObject, limits: PropertyLimits): JsonObject {
  return objectOf(Object.entries(object).map(([name, value]) => [name, cut(value, lookUp(limits, name))]));
}
