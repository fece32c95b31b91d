import { type ComponentRules, rulesOf } from '../document/components.ts';
import { type InputKind, inputKindOf } from '../document/input-kinds.ts';
import type { Version } from '../document/versions.ts';
import type { Located } from './located.ts';

/** A Flow JSON as the rules look at it: whatever is missing or of the wrong type is simply not there. */
export interface FlowSource {
  readonly document: Located;
  /** Whose rules hold; the latest where the document names none or an unknown one. */
  readonly version: Version;
  readonly screens: readonly ScreenSource[];
  /** Of screens with the same id, the first. */
  readonly screensById: ReadonlyMap<string, ScreenSource>;
  /** Whether it exchanges data with an endpoint. */
  readonly hasEndpoint: boolean;
}

export interface ScreenSource {
  readonly id: string;
  readonly node: Located;
  readonly isTerminal: boolean;
  /** The declared schema of each field of `data`. */
  readonly data: ReadonlyMap<string, Located>;
  /** Those of the layout itself. */
  readonly components: readonly ComponentSource[];
  /** All of them, parents before children. */
  readonly allComponents: readonly ComponentSource[];
  /** What users fill in, by name. */
  readonly inputs: ReadonlyMap<string, ComponentSource>;
  readonly actions: readonly ActionSource[];
}

export interface ComponentSource {
  /** Empty when missing. */
  readonly type: string;
  readonly rules: ComponentRules | undefined;
  /** Undefined for what is no input. */
  readonly input: InputKind | undefined;
  readonly node: Located;
  /** The Form, If or Switch it stands in. */
  readonly parent: ComponentSource | undefined;
  readonly isInForm: boolean;
  /** How many Ifs are around it. */
  readonly ifDepth: number;
  /** How many Ifs and Switches are around it. */
  readonly branchDepth: number;
  readonly branches: readonly Branch[];
}

/** A list of components within another: the children of a Form, a branch of an If, a case of a Switch. */
export interface Branch {
  readonly name: string;
  readonly components: readonly ComponentSource[];
}

export interface ActionSource {
  /** Empty when missing. */
  readonly name: string;
  readonly node: Located;
  /** `on-click-action` and the like. */
  readonly property: string;
  readonly component: ComponentSource;
}

const actionPropertyPattern = /^on-(click|select|unselect)-action$/;

const branchProperties = new Set(['children', 'then', 'else', 'cases']);

export function readFlow(document: Located, version: Version): FlowSource {
  const nodes = document.member('screens')?.items() ?? [];
  const screens = nodes.filter(({ type }) => type === 'object').map(readScreen);
  const screensById = new Map<string, ScreenSource>();
  for (const screen of screens) {
    if (screen.id !== '' && !screensById.has(screen.id)) screensById.set(screen.id, screen);
  }
  return { document, version, screens, screensById, hasEndpoint: document.member('data_api_version') !== undefined };
}

/** All components inside one, parents before children. */
export function descendantsOf({ branches }: ComponentSource): ComponentSource[] {
  const all: ComponentSource[] = [];
  for (const { components } of branches) collect(components, all);
  return all;
}

/** The text of a property, empty when there is none. */
export function textOf(component: ComponentSource, property: string): string {
  return component.node.member(property)?.string ?? '';
}

function readScreen(node: Located): ScreenSource {
  const components = readComponents(node.member('layout')?.member('children'), undefined);
  const allComponents: ComponentSource[] = [];
  collect(components, allComponents);
  const inputs = allComponents.filter(({ input }) => input);
  return {
    id: node.member('id')?.string ?? '',
    node,
    isTerminal: node.member('terminal')?.value === true,
    data: new Map((node.member('data')?.members() ?? []).map(({ name, value }) => [name, value])),
    components,
    allComponents,
    inputs: new Map(inputs.map((component) => [textOf(component, 'name'), component])),
    actions: allComponents.flatMap(readActions),
  };
}

function readComponents(list: Located | undefined, parent: ComponentSource | undefined): ComponentSource[] {
  return (list?.items() ?? []).map((node) => readComponent(node, parent));
}

function readComponent(node: Located, parent: ComponentSource | undefined): ComponentSource {
  const type = node.member('type')?.string ?? '';
  const branches: Branch[] = [];
  const component = {
    type,
    rules: rulesOf(type),
    input: inputKindOf(type),
    node,
    parent,
    isInForm: parent !== undefined && (parent.isInForm || parent.type === 'Form'),
    ifDepth: parent === undefined ? 0 : parent.ifDepth + (parent.type === 'If' ? 1 : 0),
    branchDepth: parent === undefined ? 0 : parent.branchDepth + (parent.type === 'Form' ? 0 : 1),
    branches,
  };
  for (const { name, list } of branchLists(type, node)) {
    branches.push({ name, components: readComponents(list, component) });
  }
  return component;
}

function collect(components: readonly ComponentSource[], all: ComponentSource[]): void {
  for (const component of components) {
    all.push(component);
    for (const branch of component.branches) collect(branch.components, all);
  }
}

function branchLists(type: string, node: Located): { name: string; list: Located | undefined }[] {
  switch (type) {
    case 'Form':
      return [{ name: 'children', list: node.member('children') }];
    case 'If':
      return ['then', 'else'].map((name) => ({ name, list: node.member(name) }));
    case 'Switch':
      return (node.member('cases')?.members() ?? []).map(({ name, value }) => ({ name, list: value }));
    default:
      return [];
  }
}

function readActions(component: ComponentSource): ActionSource[] {
  return component.node
    .members()
    .filter(({ name }) => !branchProperties.has(name))
    .flatMap(({ name, value }) => actionsIn(component, name, value));
}

/** The action that a property is, or those of the options and items in it. */
function actionsIn(component: ComponentSource, property: string, node: Located): ActionSource[] {
  if (actionPropertyPattern.test(property)) {
    return [{ name: node.member('name')?.string ?? '', node, property, component }];
  }
  return node.items().flatMap((item) => item.members().flatMap(({ name, value }) => actionsIn(component, name, value)));
}
