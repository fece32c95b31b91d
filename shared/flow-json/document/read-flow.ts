import type { JsonValue } from './values.ts';
import { defaultDataApiVersion } from './versions.ts';

/** A Flow JSON, which may be an invalid draft: anything missing or of the wrong type is left out. */
export interface FlowDocument<V> {
  /** Empty when missing. */
  readonly version: string;
  /** Undefined for a Flow without an endpoint. */
  readonly dataApiVersion: string | undefined;
  readonly screens: readonly Screen<V>[];
  /** The routing model: the screens that each screen leads to. */
  readonly routes: ReadonlyMap<string, readonly V[]>;
}

export interface Screen<V> {
  readonly node: V;
  /** Empty when missing. */
  readonly id: string;
  /** May be dynamic. */
  readonly title: string;
  readonly isTerminal: boolean;
  readonly refreshesOnBack: boolean;
  /** The names of inputs whose values the chat does not show afterwards. */
  readonly sensitive: readonly string[];
  /** The schema of each field of `data`. */
  readonly data: ReadonlyMap<string, V>;
}

export interface Component<V> {
  readonly node: V;
  /** Empty when missing. */
  readonly type: string;
  /** Its place on the screen: unique there, and the same whenever the document is read. */
  readonly key: string;
  /** The Form, If or Switch around it. */
  readonly parent: Component<V> | undefined;
  /** The components in a Form under `children`, in an If under `then` and `else`, in a Switch under each case. */
  readonly branches: ReadonlyMap<string, readonly Component<V>[]>;
}

/**
 * The limits of a whole Flow JSON (Meta's page "Flow JSON"). How often a component may occur, and how long its texts may
 * be, is in the component table.
 */
export const maxBytes = 10 * 1024 * 1024;
export const maxScreens = 100;
export const maxComponentsPerScreen = 50;
export const maxIfNesting = 3;
/** The screens that one screen may lead to. */
export const maxRoutesPerScreen = 10;
export const maxDropdownOptionsWithImages = 100;
/** The size of an option's image, which 6.0 lowered. */
export const maxOptionImageKilobytes = 100;
export const maxOptionImageKilobytesBefore6 = 300;

/**
 * Far more than a screen of a valid Flow has, even with a full branch for each of many cases. What is beyond is not read,
 * so that no document hangs its reader.
 */
const maxComponents = 3_000;
const maxDepth = 20;

const branchProperties: ReadonlySet<string> = new Set(['children', 'then', 'else', 'cases']);

/** Reads a Flow JSON except for its components; {@link readComponents} reads those. */
export function readFlow<V extends JsonValue<V>>(document: V): FlowDocument<V> {
  const dataApiVersion = document.member('data_api_version');
  const screens = document.member('screens')?.items() ?? [];
  const routes = document.member('routing_model')?.members() ?? [];
  return {
    version: textOf(document, 'version'),
    dataApiVersion: dataApiVersion && (dataApiVersion.string ?? defaultDataApiVersion),
    screens: screens.filter(({ isObject }) => isObject).map(readScreen),
    routes: new Map(routes.map(({ name, value }) => [name, value.items()])),
  };
}

export function readComponents<V extends JsonValue<V>>({ node }: Screen<V>): Component<V>[] {
  let left = maxComponents;

  function readList(list: V | undefined, key: string, depth: number, parent?: Component<V>): Component<V>[] {
    const components: Component<V>[] = [];
    if (depth > maxDepth) return components;
    for (const [index, item] of (list?.items() ?? []).entries()) {
      if (left === 0) break;
      left -= 1;
      components.push(readComponent(item, `${key}/${index}`, depth, parent));
    }
    return components;
  }

  function readComponent(item: V, key: string, depth: number, parent?: Component<V>): Component<V> {
    const branches = new Map<string, Component<V>[]>();
    const component = { node: item, type: textOf(item, 'type'), key, parent, branches };
    for (const [name, list] of branchLists(component.type, item)) {
      branches.set(name, readList(list, `${key}/${name}`, depth + 1, component));
    }
    return component;
  }

  return readList(node.member('layout')?.member('children'), '', 0);
}

/** All components, parents before children. */
export function withDescendants<V>(components: Iterable<Component<V>>, all: Component<V>[] = []): Component<V>[] {
  for (const component of components) {
    all.push(component);
    for (const branch of component.branches.values()) withDescendants(branch, all);
  }
  return all;
}

export function isActionProperty(name: string): boolean {
  return /^on-(click|select|unselect)-action$/.test(name);
}

export function isBranchProperty(name: string): boolean {
  return branchProperties.has(name);
}

/** The text of a member, empty when there is none. */
export function textOf<V extends JsonValue<V>>(value: V, name: string): string {
  return value.member(name)?.string ?? '';
}

function readScreen<V extends JsonValue<V>>(node: V): Screen<V> {
  return {
    node,
    id: textOf(node, 'id'),
    title: textOf(node, 'title'),
    isTerminal: node.member('terminal')?.value === true,
    refreshesOnBack: node.member('refresh_on_back')?.value === true,
    sensitive: (node.member('sensitive')?.items() ?? [])
      .map(({ string }) => string)
      .filter((name) => name !== undefined),
    data: new Map((node.member('data')?.members() ?? []).map(({ name, value }) => [name, value])),
  };
}

function branchLists<V extends JsonValue<V>>(type: string, node: V): [name: string, list: V | undefined][] {
  switch (type) {
    case 'Form':
      return [['children', node.member('children')]];
    case 'If':
      return ['then', 'else'].map((name) => [name, node.member(name)]);
    case 'Switch':
      return (node.member('cases')?.members() ?? []).map(({ name, value }) => [name, value]);
    default:
      return [];
  }
}

/** An endpoint ends a Flow by naming this screen. No Flow JSON has one with this id. */
export const successScreen = 'SUCCESS';

export function isReservedScreenId(id: string): boolean {
  return id.toUpperCase() === successScreen;
}

export interface Action<V> {
  /** Empty when missing. */
  readonly name: string;
  readonly node: V;
  /** `on-click-action` and the like. */
  readonly property: string;
  readonly component: Component<V>;
}

/** The actions of a component, without those of the components in it. */
export function readActions<V extends JsonValue<V>>(component: Component<V>): Action<V>[] {
  return component.node
    .members()
    .filter(({ name }) => !isBranchProperty(name))
    .flatMap(({ name, value }) => actionsIn(component, name, value));
}

/** The name of the screen to which an action navigates, if it does. */
export function destinationOf<V extends JsonValue<V>>({ name, node }: Action<V>): V | undefined {
  return name === 'navigate' ? node.member('next')?.member('name') : undefined;
}

/** The action, if the property is one, or the actions of the options and items in it. */
function actionsIn<V extends JsonValue<V>>(component: Component<V>, property: string, node: V): Action<V>[] {
  if (isActionProperty(property)) return [{ name: textOf(node, 'name'), node, property, component }];
  return node.items().flatMap((item) => item.members().flatMap(({ name, value }) => actionsIn(component, name, value)));
}
