import { isObject, type JsonObject, objectOf, own } from '#shared/base/json.ts';
import type { ComponentLimits, PropertyLimits, ValueLimits } from '../document/component-limits.ts';
import { lookUp } from '../document/shapes.ts';
import type { VisibleComponent } from './resolve.ts';

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
