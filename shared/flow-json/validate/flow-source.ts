import { inputKindOf } from '../document/input-kinds.ts';
import { type Action, readActions } from '../document/read-actions.ts';
import {
  type Component,
  type FlowDocument,
  readComponents,
  readFlow,
  type Screen,
  textOf,
  withDescendants,
} from '../document/read-flow.ts';
import type { Version } from '../document/versions.ts';
import type { Located } from './located.ts';

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

/** The components that users fill in, by name. */
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
