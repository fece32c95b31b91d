import { isAtLeast, type Version } from './versions.ts';

export const actionNames = ['navigate', 'complete', 'data_exchange', 'update_data', 'open_url'] as const;

export type ActionName = (typeof actionNames)[number];

/** The actions that a property allows, each with the version that introduced it there. */
export type AllowedActions = Readonly<Partial<Record<ActionName, Version>>>;

export type Format = 'base64-image' | 'color' | 'date' | 'digits' | 'pattern' | 'uri';

/** The form of a value in a Flow JSON. */
export type Shape =
  | StringShape
  | { readonly kind: 'any' }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'number'; readonly integer?: true; readonly min?: number; readonly max?: number }
  | ListShape
  | ObjectShape
  /** An object whose member names the author chooses. */
  | { readonly kind: 'map' }
  | { readonly kind: 'action'; readonly actions: AllowedActions }
  /** A list of components. */
  | { readonly kind: 'components' }
  /** An object of lists of components. */
  | { readonly kind: 'cases' }
  | { readonly kind: 'either'; readonly shapes: readonly Shape[] };

export interface StringShape {
  readonly kind: 'string';
  /** How many characters phones show; a longer text is not an error. */
  readonly maxChars?: number;
  readonly values?: readonly string[];
  readonly format?: Format;
}

export interface ListShape {
  readonly kind: 'list';
  readonly items: Shape;
  readonly min?: number;
  readonly max?: number;
}

export interface ObjectShape {
  readonly kind: 'object';
  readonly properties: Properties;
}

export interface Property {
  readonly shape: Shape;
  /** Required always, or since a version. */
  readonly required?: true | Version;
  readonly since?: Version;
  /** Does not allow `${…}` or an expression. */
  readonly literal?: true;
  /** Meta's code for an invalid value, where it differs from the general one. */
  readonly faultCode?: string;
  /** The value that phones assume if the property is absent. */
  readonly fallback?: string | number | boolean;
}

export type Properties = Readonly<Record<string, Property>>;

export interface ComponentRules {
  /** Absent for a component that all publishable versions have. */
  readonly since?: Version;
  readonly properties: Properties;
  /** Of the branches of an If or a Switch, only the fullest is counted. */
  readonly maxPerScreen?: number;
  readonly maxPerScreenSince?: Version;
  readonly maxPerFlow?: number;
  /** Since when it may be in an If or a Switch, or `false` for never; absent for always, or if Meta does not say. */
  readonly inBranches?: false | Version;
}

type PropertyOptions = Omit<Property, 'shape' | 'required'>;

export const required = (shape: Shape, options: Omit<Property, 'shape'> = {}): Property => ({
  shape,
  required: true,
  ...options,
});
export const optional = (shape: Shape, options: PropertyOptions = {}): Property => ({ shape, ...options });

export const string: StringShape = { kind: 'string' };
export const boolean: Shape = { kind: 'boolean' };
export const any: Shape = { kind: 'any' };
export const map: Shape = { kind: 'map' };
export const components: Shape = { kind: 'components' };
export const cases: Shape = { kind: 'cases' };
export const text = (maxChars: number): StringShape => ({ kind: 'string', maxChars });
export const oneOf = (...values: string[]): StringShape => ({ kind: 'string', values });
export const formatted = (format: Format): StringShape => ({ kind: 'string', format });
export const number = (limits: { min?: number; max?: number } = {}): Shape => ({ kind: 'number', ...limits });
export const integer = (limits: { min?: number; max?: number } = {}): Shape => ({
  kind: 'number',
  integer: true,
  ...limits,
});
export const list = (items: Shape, limits: { min?: number; max?: number } = {}): ListShape => ({
  kind: 'list',
  items,
  ...limits,
});
export const object = (properties: Properties): ObjectShape => ({ kind: 'object', properties });
export const action = (actions: AllowedActions): Shape => ({ kind: 'action', actions });
export const either = (...shapes: Shape[]): Shape => ({ kind: 'either', shapes });

export function isRequired({ required }: Property, version: Version): boolean {
  return required === true || (required !== undefined && isAtLeast(version, required));
}

/** Looks up a name that an author wrote. The names of JavaScript's prototypes are as unknown as any other. */
export function lookUp<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
