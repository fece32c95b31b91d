import { isObject, listOf, own } from '#shared/base/json/json-object.ts';
import { readDataApiVersion } from '../document/data-api-version.ts';

/** What a Flow JSON says that its endpoint has to go by: read from any JSON, with what is missing or wrong left out. */
export interface FlowOutline {
  /** Of the Flow JSON, empty when it names none. */
  readonly version: string;
  /** Undefined for a Flow without an endpoint. */
  readonly dataApiVersion: string | undefined;
  /** By id, the schemas of the data that each screen declares. */
  readonly screens: ReadonlyMap<string, ReadonlyMap<string, unknown>>;
  /** The screens that each screen leads to. */
  readonly routes: ReadonlyMap<string, readonly unknown[]>;
}

/** @param json what `JSON.parse` made of a Flow JSON, which may be an invalid draft */
export function readOutline(json: unknown): FlowOutline {
  const version = own(json, 'version');
  return {
    version: typeof version === 'string' ? version : '',
    dataApiVersion: readDataApiVersion(json),
    screens: new Map(
      listOf(own(json, 'screens')).flatMap((screen) => {
        const id = own(screen, 'id');
        return typeof id === 'string' ? [[id, membersOf(own(screen, 'data'))] as const] : [];
      }),
    ),
    routes: new Map([...membersOf(own(json, 'routing_model'))].map(([id, next]) => [id, listOf(next)])),
  };
}

function membersOf(value: unknown): Map<string, unknown> {
  return new Map(isObject(value) ? Object.entries(value) : []);
}
