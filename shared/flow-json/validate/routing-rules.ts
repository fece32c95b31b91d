import { destinationOf, maxRoutesPerScreen } from '#shared/flow-json/document/read-flow.ts';
import { excerpt, listed, type Place, type Report } from './findings.ts';
import type { FlowSource, Located } from './flow-source.ts';
import type { Rule } from './version-rules.ts';

interface Route {
  readonly from: string;
  readonly to: string;
  readonly place: Place;
}

type Invalid = (message: string, place: Place) => void;

/** The routing model, or the routes of the navigate actions: forward only, connected, from one screen to a terminal. */
export const checkRouting: Rule = (flow, report) => {
  const invalid: Invalid = (message, place) => report.error('INVALID_ROUTING_MODEL', message, place);
  const model = flow.document.member('routing_model');
  const navigations = readNavigations(flow);
  const written = model === undefined ? navigations : readModel(flow);
  if (model !== undefined) {
    checkModel(flow, model, invalid);
    checkNavigations(flow, navigations, written, invalid);
  }
  const routes = written.filter(
    ({ from, to }) => from !== to && flow.screensById.has(from) && flow.screensById.has(to),
  );
  const back = backwardRoute(routes);
  if (back !== undefined) {
    invalid(`Found a loop: backward route [${excerpt(back.from)} -> ${excerpt(back.to)}].`, back.place);
    return;
  }
  checkEnds(flow, routes, report);
  checkConnected(flow, routes, invalid);
};

function readNavigations({ screens }: FlowSource): Route[] {
  return screens.flatMap((screen) =>
    screen.actions.flatMap((action) => {
      const place = destinationOf(action);
      return place?.string !== undefined ? [{ from: screen.id, to: place.string, place }] : [];
    }),
  );
}

function readModel({ routes }: FlowSource): Route[] {
  return [...routes].flatMap(([from, places]) =>
    places.flatMap((place) => (place.string === undefined ? [] : [{ from, to: place.string, place }])),
  );
}

function checkModel(flow: FlowSource, model: Located, invalid: Invalid): void {
  for (const { name, key, value } of model.members()) {
    const routes = value.items();
    if (!flow.screensById.has(name)) invalid(`Unknown screen ids found: ${listed([name])}.`, key);
    if (value.type !== 'array') invalid(`Expected routes of type 'array' but found '${value.type}'.`, value);
    if (routes.length > maxRoutesPerScreen) {
      invalid(`A screen can have at most ${maxRoutesPerScreen} branches but found ${routes.length}.`, value);
    }
    for (const route of routes) checkTarget(flow, name, route, invalid);
  }
}

function checkTarget({ screensById }: FlowSource, from: string, route: Located, invalid: Invalid): void {
  const to = route.string ?? '';
  if (!screensById.has(to)) invalid(`Unknown screen ids found: ${listed([to])}.`, route);
  else if (to === from) invalid(`Screen '${excerpt(from)}' cannot have a route to itself.`, route);
}

function checkNavigations(
  { screensById }: FlowSource,
  navigations: readonly Route[],
  model: readonly Route[],
  invalid: Invalid,
): void {
  const declared = new Set(model.map(edgeOf));
  for (const route of navigations) {
    if (route.from === route.to || !screensById.has(route.to) || declared.has(edgeOf(route))) continue;
    const [from, to] = [excerpt(route.from), excerpt(route.to)];
    invalid(`Missing direct route from screen '${from}' to screen '${to}' in the routing model.`, route.place);
  }
}

/** The first route that leads back to a screen on the path to it. */
function backwardRoute(routes: readonly Route[]): Route | undefined {
  const routesFrom = Map.groupBy(routes, ({ from }) => from);
  const visits = new Map<string, 'open' | 'done'>();
  const visit = (id: string): Route | undefined => {
    visits.set(id, 'open');
    for (const route of routesFrom.get(id) ?? []) {
      if (visits.get(route.to) === 'open') return route;
      const back = visits.has(route.to) ? undefined : visit(route.to);
      if (back !== undefined) return back;
    }
    visits.set(id, 'done');
    return undefined;
  };
  for (const id of routesFrom.keys()) {
    const back = visits.has(id) ? undefined : visit(id);
    if (back !== undefined) return back;
  }
  return undefined;
}

/** Meta's guide wants every route to end on a terminal screen, but in some samples users can only go back. */
function checkEnds({ screens, screensById }: FlowSource, routes: readonly Route[], report: Report): void {
  if (!screens.some(({ isTerminal }) => isTerminal)) return;
  const sources = new Set(routes.map(({ from }) => from));
  for (const { id, isTerminal, node } of screensById.values()) {
    if (isTerminal || sources.has(id)) continue;
    const message = `Screen '${excerpt(id)}' leads nowhere and is not terminal: users can only go back.`;
    report.warning('INVALID_ROUTING_MODEL', message, node.member('id') ?? node);
  }
}

function checkConnected({ screensById }: FlowSource, routes: readonly Route[], invalid: Invalid): void {
  const [first, ...rest] = screensById.keys();
  if (first === undefined) return;
  const reached = reachedFrom(first, routes);
  const disconnected = rest.filter((id) => !reached.has(id));
  const screen = screensById.get(disconnected[0] ?? '');
  if (screen === undefined) return;
  const place = screen.node.member('id') ?? screen.node;
  invalid(`Following screens are not connected with the rest: ${listed(disconnected)}.`, place);
}

/** All screens that routes connect with this one, in either direction. */
function reachedFrom(id: string, routes: readonly Route[]): Set<string> {
  const neighbours = Map.groupBy(
    routes.flatMap(({ from, to }) => [
      { at: from, next: to },
      { at: to, next: from },
    ]),
    ({ at }) => at,
  );
  const reached = new Set([id]);
  for (const at of reached) for (const { next } of neighbours.get(at) ?? []) reached.add(next);
  return reached;
}

function edgeOf({ from, to }: Route): string {
  return JSON.stringify([from, to]);
}
