import type { ComponentType } from 'preact';
import { own } from '../../shared/flow-json/json.ts';
import type { VisibleComponent } from '../../shared/flow-json/resolve.ts';
import type { Say } from './say.ts';

/** By component and property; the build takes it from the component table. */
declare const TEXT_LIMITS: Readonly<Record<string, Readonly<Record<string, number>>>>;

/** What a component may do to the Flow that it stands in. */
export interface Ui {
  readonly say: Say;
  readonly value: (name: string) => unknown;
  readonly setValue: (component: VisibleComponent, value: unknown) => void;
  /** Takes an action, as the Flow JSON has it. */
  readonly act: (action: unknown) => void;
  /** The same once every input of the screen is right; else shows what is not. */
  readonly submit: (action: unknown) => void;
  /** What is wrong with an input, once that is to be shown. */
  readonly fault: (component: VisibleComponent) => string | undefined;
}

export interface ComponentProps {
  readonly component: VisibleComponent;
  readonly ui: Ui;
}

export type View = ComponentType<ComponentProps>;

/** A text property as a phone shows it: cut where it is too long, and whatever else it is made text. */
export function textOf({ type, properties }: VisibleComponent, name: string): string {
  const limit = own(own(TEXT_LIMITS, type), name);
  return shorten(asText(own(properties, name)), typeof limit === 'number' ? limit : undefined);
}

export function asText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

export function shorten(text: string, maxChars = Number.POSITIVE_INFINITY): string {
  return text.length > maxChars ? `${text.slice(0, maxChars - 1)}…` : text;
}

export function isTrue(component: VisibleComponent, name: string): boolean {
  return own(component.properties, name) === true;
}

/** Components are enabled unless they say otherwise. */
export function isDisabled({ properties }: VisibleComponent): boolean {
  return own(properties, 'enabled') === false;
}

export const nameOf = (component: VisibleComponent): string => asText(own(component.properties, 'name'));

/** An id for an element that belongs to the component; places on a screen are unique. */
export const idOf = ({ key }: VisibleComponent, part = ''): string =>
  `c${key.replace(/\W+/g, '-')}${part && `-${part}`}`;
