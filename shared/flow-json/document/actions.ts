import { type Component, isActionProperty, isBranchProperty, textOf } from './read-flow.ts';
import {
  type ActionName,
  formatted,
  map,
  type ObjectShape,
  object,
  oneOf,
  optional,
  required,
  string,
} from './shapes.ts';
import type { JsonValue } from './values.ts';

/** The members that each action may have (Meta's page "Flow JSON", section "Actions"). */
export const actionShapes: Readonly<Record<ActionName, ObjectShape>> = {
  navigate: object({
    name: required(string, { literal: true }),
    next: required(
      object({ type: required(oneOf('screen'), { literal: true }), name: required(string, { literal: true }) }),
    ),
    payload: optional(map),
  }),
  complete: object({ name: required(string, { literal: true }), payload: optional(map) }),
  data_exchange: object({ name: required(string, { literal: true }), payload: optional(map) }),
  update_data: object({ name: required(string, { literal: true }), payload: required(map) }),
  open_url: object({ name: required(string, { literal: true }), url: required(formatted('uri')) }),
};

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
