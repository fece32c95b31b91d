import { destinationOf, readActions } from '#shared/flow-json/document/actions.ts';
import { ParsedValue } from '#shared/flow-json/document/values.ts';
import { draftLimits, type FlowDocument, readComponents, readFlow, withDescendants } from '../document/read-flow.ts';

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
  /** The screens on which the Flow can open: those to which no other leads, or all if there are none. */
  readonly entries: readonly string[];
}

/** @param json what `JSON.parse` made of a Flow JSON, which may be an invalid draft */
export function readOutline(json: unknown): FlowOutline {
  const document = readFlow(new ParsedValue(json));
  const { version, dataApiVersion, screens, routes } = document;
  const identified = screens.filter(({ id }) => id !== '');
  return {
    version,
    dataApiVersion,
    screens: new Map(identified.map(({ id, data }) => [id, valuesOf(data)])),
    routes: new Map([...routes].map(([id, next]) => [id, next.map(({ value }) => value)])),
    entries: entriesOf(
      identified.map(({ id }) => id),
      routes.size > 0 ? [...routes] : navigationsOf(document),
    ),
  };
}

/** The screens that each screen leads to, and perhaps itself. */
type Routes = readonly (readonly [from: string, to: readonly ParsedValue[]])[];

function entriesOf(screens: readonly string[], routes: Routes): string[] {
  const targets = new Set(
    routes.flatMap(([from, to]) => to.map(({ string }) => string).filter((screen) => screen !== from)),
  );
  const entries = screens.filter((screen) => !targets.has(screen));
  return entries.length > 0 ? entries : [...screens];
}

/** The routes of a Flow without a routing model: its actions lead from one screen to another. */
function navigationsOf({ screens }: FlowDocument<ParsedValue>): Routes {
  return screens.map((screen) => {
    const actions = withDescendants(readComponents(screen, draftLimits)).flatMap(readActions);
    return [screen.id, actions.flatMap((action) => destinationOf(action) ?? [])];
  });
}

function valuesOf(members: ReadonlyMap<string, ParsedValue>): Map<string, unknown> {
  return new Map([...members].map(([name, { value }]) => [name, value]));
}
