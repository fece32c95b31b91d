import type { ComponentLimits } from '#shared/flow-json/document/components.ts';
import { ParsedValue } from '#shared/flow-json/document/values.ts';
import {
  type Component as ComponentOf,
  maxScreens,
  readComponents,
  readFlow,
  type Screen as ScreenOf,
} from '../document/read-flow.ts';

/** A Flow as a preview plays it. */
export interface Flow {
  readonly screens: ReadonlyMap<string, Screen>;
  /** Undefined for a Flow without an endpoint. */
  readonly dataApiVersion: string | undefined;
  /** Identifies this opening of the Flow in requests to the endpoint and in the final response. */
  readonly token: string;
  readonly limits: ComponentLimits;
}

export interface Screen extends ScreenOf<ParsedValue> {
  readonly components: readonly Component[];
}

export type Component = ComponentOf<ParsedValue>;

/** @param json what `JSON.parse` made of a Flow JSON, which may be an invalid draft */
export function loadFlow(json: unknown, token: string, limits: ComponentLimits): Flow {
  const { dataApiVersion, screens } = readFlow(new ParsedValue(json));
  const loaded = screens
    .slice(0, maxScreens)
    .map((screen): Screen => ({ ...screen, components: readComponents(screen) }));
  return { dataApiVersion, token, limits, screens: new Map(loaded.map((screen) => [screen.id, screen])) };
}

/** The example of each field of a screen's data. */
export function examplesOf({ data }: Screen): Map<string, unknown> {
  return new Map([...data].map(([name, schema]) => [name, schema.member('__example__')?.value]));
}
