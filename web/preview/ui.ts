import type { ComponentType } from 'preact';
import { own } from '#shared/base/json.ts';
import { toText } from '#shared/flow-json/document/expression.ts';
import type { VisibleComponent } from '#shared/flow-json/play/resolve-values.ts';
import type { Say } from './say.ts';

/** What a component can read in its Flow and do with it. */
export interface Ui {
  readonly say: Say;
  readonly value: (name: string) => unknown;
  readonly setValue: (component: VisibleComponent, value: unknown) => void;
  /** Picks a file that will be sent, and returns the value that stands for it. Absent if files stay in the browser. */
  readonly pick?: ((file: File) => unknown) | undefined;
  /** Runs an action as written in the Flow JSON. */
  readonly act: (action: unknown) => void;
  /** Runs the action if every input of the screen is valid; otherwise shows the faults. */
  readonly submit: (action: unknown) => void;
  /** The fault of an input, if it should be shown now. */
  readonly fault: (component: VisibleComponent) => string | undefined;
}

export interface ComponentProps {
  readonly component: VisibleComponent;
  readonly ui: Ui;
}

export type View = ComponentType<ComponentProps>;

export function textOf({ properties }: VisibleComponent, name: string): string {
  return asText(own(properties, name));
}

export const asText = toText;

/** The text of a member of a part of a component, such as an option. */
export const textIn = (part: unknown, name: string): string => asText(own(part, name));

export function isTrue(component: VisibleComponent, name: string): boolean {
  return own(component.properties, name) === true;
}

/** Components are enabled unless they say otherwise. */
export function isDisabled({ properties }: VisibleComponent): boolean {
  return own(properties, 'enabled') === false;
}

export const nameOf = (component: VisibleComponent): string => asText(own(component.properties, 'name'));

/** An id for an element of the component, unique on the screen. */
export const idOf = ({ key }: VisibleComponent, part = ''): string =>
  `c${key.replace(/\W+/g, '-')}${part && `-${part}`}`;
