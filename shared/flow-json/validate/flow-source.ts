import {
  type Action,
  type Component,
  type FlowDocument,
  readActions,
  readComponents,
  readFlow,
  type Screen,
  textOf,
  withDescendants,
} from '#shared/flow-json/document/read-flow.ts';
import type { JsonValue } from '#shared/flow-json/document/values.ts';
import { inputKindOf } from '#shared/flow-json/document/values.ts';
import type { Version } from '#shared/flow-json/document/versions.ts';
import { excerpt, type Place } from './findings.ts';
import type { JsonNode } from './parse-with-positions.ts';

export type JsonTypeName = 'string' | 'number' | 'boolean' | 'null' | 'array' | 'object';

export interface LocatedMember {
  readonly name: string;
  readonly key: Place;
  readonly value: Located;
}

/** A value of the document that knows its place in the text. */
export class Located implements JsonValue<Located>, Place {
  readonly start: number;
  readonly end: number;
  readonly path: string;
  readonly value: JsonNode['value'];

  constructor(node: JsonNode, path = '') {
    this.start = node.start;
    this.end = node.end;
    this.value = node.value;
    this.path = path;
  }

  get type(): JsonTypeName {
    if (this.value === null) return 'null';
    if (this.isObject) return 'object';
    if (typeof this.value === 'object') return 'array';
    return typeof this.value as 'string' | 'number' | 'boolean';
  }

  get string(): string | undefined {
    return typeof this.value === 'string' ? this.value : undefined;
  }

  get number(): number | undefined {
    return typeof this.value === 'number' ? this.value : undefined;
  }

  get isObject(): boolean {
    return this.value instanceof Map;
  }

  member(name: string): Located | undefined {
    const found = this.value instanceof Map ? this.value.get(name) : undefined;
    return found && new Located(found.node, this.#pathOf(name));
  }

  members(): LocatedMember[] {
    if (!(this.value instanceof Map)) return [];
    return [...this.value].map(([name, { key, node }]) => {
      const path = this.#pathOf(name);
      return { name, key: { start: key.start, end: key.end, path }, value: new Located(node, path) };
    });
  }

  names(): string[] {
    return this.value instanceof Map ? [...this.value.keys()] : [];
  }

  items(): Located[] {
    if (!Array.isArray(this.value)) return [];
    return this.value.map((node, index) => new Located(node, `${this.path}[${index}]`));
  }

  #pathOf(name: string): string {
    return this.path === '' ? excerpt(name) : `${this.path}.${excerpt(name)}`;
  }
}

/** A Flow JSON as the rules see it. */
export interface FlowSource extends FlowDocument<Located> {
  readonly document: Located;
  /** The version whose rules apply: the latest if the document specifies none or an unknown one. */
  readonly version: Version;
  readonly screens: readonly ScreenSource[];
  /** The first of several screens with the same id. */
  readonly screensById: ReadonlyMap<string, ScreenSource>;
}

export interface ScreenSource extends Screen<Located> {
  /** The components at the top of the layout. */
  readonly components: readonly ComponentSource[];
  /** All components, parents before children. */
  readonly allComponents: readonly ComponentSource[];
  /** The components that users fill in, by name. */
  readonly inputs: ReadonlyMap<string, ComponentSource>;
  readonly actions: readonly ActionSource[];
}

export type ComponentSource = Component<Located>;

export type ActionSource = Action<Located>;

export function readSource(document: Located, version: Version): FlowSource {
  const flow = readFlow(document);
  const screens = flow.screens.map(readScreen);
  const screensById = new Map<string, ScreenSource>();
  for (const screen of screens) {
    if (screen.id !== '' && !screensById.has(screen.id)) screensById.set(screen.id, screen);
  }
  return { ...flow, document, version, screens, screensById };
}

/** How many Forms, Ifs and Switches of these types are around a component. */
export function countAround({ parent }: ComponentSource, ...types: readonly string[]): number {
  let count = 0;
  for (let around = parent; around !== undefined; around = around.parent) if (types.includes(around.type)) count += 1;
  return count;
}

export function inputsAmong(components: readonly ComponentSource[]): Map<string, ComponentSource> {
  const inputs = components.filter(({ type }) => inputKindOf(type) !== undefined);
  return new Map(inputs.map((component) => [textOf(component.node, 'name'), component]));
}

export function isInForm(component: ComponentSource): boolean {
  return countAround(component, 'Form') > 0;
}

function readScreen(screen: Screen<Located>): ScreenSource {
  const components = readComponents(screen);
  const allComponents = withDescendants(components);
  return {
    ...screen,
    components,
    allComponents,
    inputs: inputsAmong(allComponents),
    actions: allComponents.flatMap(readActions),
  };
}
