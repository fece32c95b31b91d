import { ParsedValue } from '../document/json-value.ts';
import { readFlow } from '../document/read-flow.ts';

/** The parts of a Flow JSON that its endpoint depends on. */
export interface FlowOutline {
  /** The version of the Flow JSON, empty when missing. */
  readonly version: string;
  /** Undefined for a Flow without an endpoint. */
  readonly dataApiVersion: string | undefined;
  /** The schemas of the data that each screen declares, by screen id. */
  readonly screens: ReadonlyMap<string, ReadonlyMap<string, unknown>>;
  /** The screens that each screen leads to. */
  readonly routes: ReadonlyMap<string, readonly unknown[]>;
}

/** @param json what `JSON.parse` made of a Flow JSON, which may be an invalid draft */
export function readOutline(json: unknown): FlowOutline {
  const { version, dataApiVersion, screens, routes } = readFlow(new ParsedValue(json));
  const identified = screens.filter(({ id }) => id !== '');
  return {
    version,
    dataApiVersion,
    screens: new Map(identified.map(({ id, data }) => [id, valuesOf(data)])),
    routes: new Map([...routes].map(([id, next]) => [id, next.map(({ value }) => value)])),
  };
}

function valuesOf(members: ReadonlyMap<string, ParsedValue>): Map<string, unknown> {
  return new Map([...members].map(([name, { value }]) => [name, value]));
}
