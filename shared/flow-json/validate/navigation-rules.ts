import { destinationOf, isReservedScreenId } from '#shared/flow-json/document/read-flow.ts';
import { maxRoutesPerScreen } from '#shared/flow-json/document/size-limits.ts';
import { isAtLeast, type Version } from '#shared/flow-json/document/versions.ts';
import { excerpt, listed, type Place, type Report } from './findings.ts';
import type { ActionSource, ComponentSource, FlowSource, Located, ScreenSource } from './flow-source.ts';
import { type Context, checkPayloadTypes } from './value-types.ts';
import type { Rule } from './version-rules.ts';

/** What actions need from their screen and the Flow. */
export const checkActions: Rule = (flow, report) => {
  for (const screen of flow.screens) {
    for (const action of screen.actions) checkAction(action, { flow, screen, report });
  }
  checkEndpoint(flow, report);
};

function checkAction({ name, node, property, component }: ActionSource, context: Context): void {
  const { screen, report } = context;
  const place = node.member('name') ?? node;
  if (name === 'complete' && component.type === 'Footer' && !screen.isTerminal) {
    const message = "On-click-action 'complete' can only be configured on a terminal screen.";
    report.error('INVALID_COMPLETE_ACTION', message, place);
  }
  if (name === 'navigate' && component.type === 'Footer' && screen.isTerminal) {
    const message = "On-click-action 'navigate' cannot be configured on the Footer of a terminal screen.";
    report.error('INVALID_PROPERTY_VALUE', message, place);
  }
  if (name === 'data_exchange' && property !== 'on-click-action' && node.member('payload') === undefined) {
    report.error('MISSING_REQUIRED_PROPERTY', "Required property 'payload' is missing.", node);
  }
  if (name === 'update_data') checkUpdate(node, context);
  if (name === 'navigate') checkNavigation(node, context);
}

function checkUpdate(node: Located, context: Context): void {
  const { screen, report } = context;
  const payload = node.member('payload');
  if (payload === undefined) return;
  const unknown = payload.names().filter((name) => !screen.data.has(name));
  if (unknown.length > 0) {
    const message = `Following fields are missing in the screen's data model: ${listed(unknown)}.`;
    report.error('INVALID_UPDATE_DATA_ACTION_PAYLOAD', message, payload);
  }
  const code = 'INVALID_UPDATE_DATA_ACTION_PAYLOAD';
  checkPayloadTypes(payload, screen.data, context, { literal: code, dynamic: code });
}

function checkEndpoint({ dataApiVersion, screens }: FlowSource, report: Report): void {
  if (dataApiVersion !== undefined) return;
  const exchange = screens.flatMap(({ actions }) => actions).find(({ name }) => name === 'data_exchange');
  if (exchange === undefined) return;
  const message = "Required property 'data_api_version' is missing: 'data_exchange' needs an endpoint.";
  report.error('MISSING_REQUIRED_PROPERTY', message, exchange.node);
}

/** A navigate action leads to another screen and passes exactly the data that it declares. */
function checkNavigation(node: Located, context: Context): void {
  const { flow, screen, report } = context;
  const name = node.member('next')?.member('name');
  if (name?.string === undefined) return;
  const next = flow.screensById.get(name.string);
  if (next === undefined) {
    const message = `Unknown screen ids found: ${listed([name.string])}.`;
    report.error('INVALID_NAVIGATE_ACTION_NEXT_SCREEN_NAME', message, name);
  } else if (next.id === screen.id) {
    const message = `Screen ${listed([screen.id])} cannot navigate to itself.`;
    report.error('INVALID_NAVIGATE_ACTION_NEXT_SCREEN_NAME', message, name);
  } else {
    checkPayload(node, next, context);
  }
}

function checkPayload(action: Located, next: ScreenSource, context: Context): void {
  const { report } = context;
  const payload = action.member('payload');
  if (payload === undefined && next.data.size > 0) {
    const message = `Following fields of the next screen's data model are missing in the payload: ${listed(next.data.keys())}.`;
    report.error('MISSING_NAVIGATION_ACTION_PAYLOAD', message, action);
  }
  if (payload?.type !== 'object') return;
  const sent = payload.names();
  const unknown = sent.filter((name) => !next.data.has(name));
  if (unknown.length > 0) {
    const message = `Following fields are missing in the next screen's data model: ${listed(unknown)}.`;
    report.error('INVALID_NAVIGATE_ACTION_PAYLOAD', message, payload);
  }
  const missing = [...next.data.keys()].filter((name) => payload.member(name) === undefined);
  if (missing.length > 0) {
    const message = `Following fields of the next screen's data model are missing in the payload: ${listed(missing)}.`;
    report.error('INVALID_NAVIGATE_ACTION_PAYLOAD', message, payload);
  }
  const codes = { literal: 'INVALID_NAVIGATE_ACTION_STATIC_DATA', dynamic: 'INVALID_NAVIGATE_ACTION_PAYLOAD' };
  checkPayloadTypes(payload, next.data, context, codes);
}

/** The items of a NavigationList: one action for all or one each, one badge, and no `end` with large media. */
export function checkNavigationListItems({ node }: ComponentSource, report: Report): void {
  const items = (node.member('list-items')?.items() ?? []).filter(({ type }) => type === 'object');
  for (const item of items) {
    checkItemAction(node, item, report);
    checkEnd(node, item, report);
  }
  const [, second] = items.flatMap((item) => item.member('badge') ?? []);
  if (second !== undefined) {
    report.error('INVALID_PROPERTY_VALUE', "Only one item of a NavigationList can have a 'badge'.", second);
  }
}

function checkItemAction(list: Located, item: Located, report: Report): void {
  const [ofList, ofItem] = [list.member('on-click-action'), item.member('on-click-action')];
  if (ofList === undefined && ofItem === undefined) {
    report.error('MISSING_REQUIRED_PROPERTY', "Required property 'on-click-action' is missing.", item);
  } else if (ofList !== undefined && ofItem !== undefined) {
    const message = "'on-click-action' can be on the NavigationList or on its items, not on both.";
    report.error('INVALID_DEPENDENCIES', message, ofItem);
  }
}

function checkEnd(list: Located, item: Located, report: Report): void {
  const end = item.member('end');
  if (end === undefined || list.member('media-size')?.string !== 'large') return;
  const message = "Property 'end' cannot be specified when 'media-size' is 'large'.";
  report.error('INVALID_DEPENDENCIES', message, end);
}

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
  if (checkConnected(flow, routes, invalid)) checkEntries(flow, routes, report);
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

function checkConnected({ screensById }: FlowSource, routes: readonly Route[], invalid: Invalid): boolean {
  const [first, ...rest] = screensById.keys();
  if (first === undefined) return false;
  const reached = reachedFrom(first, routes);
  const disconnected = rest.filter((id) => !reached.has(id));
  const screen = screensById.get(disconnected[0] ?? '');
  if (screen === undefined) return true;
  const place = screen.node.member('id') ?? screen.node;
  invalid(`Following screens are not connected with the rest: ${listed(disconnected)}.`, place);
  return false;
}

/** Meta wants one first screen, but does not say that it rejects several. */
function checkEntries({ document, screensById }: FlowSource, routes: readonly Route[], report: Report): void {
  const targets = new Set(routes.map(({ to }) => to));
  const entries = [...screensById.keys()].filter((id) => !targets.has(id));
  if (entries.length < 2) return;
  const place = document.member('routing_model') ?? document.member('screens') ?? document;
  report.warning('INVALID_ROUTING_MODEL', `Found more than one entry screen: ${listed(entries)}.`, place);
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

/** Ids, terminal screens, and the properties that depend on them. */
export const checkScreens: Rule = (flow, report) => {
  checkIds(flow, report);
  checkTerminals(flow, report);
  for (const screen of flow.screens) {
    checkRefreshOnBack(flow, screen, report);
    checkSensitive(screen, report);
  }
};

function checkIds({ screens, version }: FlowSource, report: Report): void {
  const seen = new Set<string>();
  for (const { node } of screens) {
    const id = node.member('id');
    if (id?.string === undefined) continue;
    checkId(id, id.string, version, report);
    if (seen.has(id.string)) {
      report.error('DUPLICATE_SCREEN_IDS', `Duplicate screen id found: '${excerpt(id.string)}'.`, id);
    }
    seen.add(id.string);
  }
}

function checkId(node: Located, id: string, version: Version, report: Report): void {
  const pattern = isAtLeast(version, '7.0') ? /^(?!_+$)[a-zA-Z_]+$/ : /^[a-zA-Z,_]+$/;
  if (id === '') return;
  if (!pattern.test(id)) {
    report.error('PATTERN_MISMATCH', "Property 'id' should only consist of alphabets and underscores.", node);
  } else if (isReservedScreenId(id)) {
    const message = `Screen id '${id}' is a reserved keyword.`;
    report.error('SCREEN_ID_IS_RESERVED_KEYWORD', message, node);
  }
}

function checkTerminals({ document, screens }: FlowSource, report: Report): void {
  const terminals = screens.filter(({ isTerminal }) => isTerminal);
  const list = document.member('screens') ?? document;
  if (screens.length > 0 && terminals.length === 0) {
    report.error('MISSING_TERMINAL_SCREEN', 'Flow JSON should have at least one terminal screen.', list);
  } else if (terminals.length > 0 && terminals.every(({ node }) => node.member('success')?.value === false)) {
    const message = "At least one terminal screen should have property 'success' set to 'true'.";
    report.error('INVALID_PROPERTY_VALUE', message, list);
  }
  for (const { node, isTerminal } of screens) {
    const success = node.member('success');
    if (success !== undefined && !isTerminal) {
      const message = "Property 'success' can only be specified on a terminal screen.";
      report.error('NOT_KEYWORD_SCHEMA_VALIDATION_FAILED', message, success);
    }
  }
  for (const screen of terminals) {
    if (!screen.allComponents.some(({ type }) => type === 'Footer') && screen.node.member('layout') !== undefined) {
      const message = `Missing Footer component on terminal screen '${excerpt(screen.id)}'.`;
      report.error('MISSING_FOOTER_ON_TERMINAL_SCREEN', message, screen.node);
    }
  }
}

function checkRefreshOnBack({ dataApiVersion }: FlowSource, { node }: ScreenSource, report: Report): void {
  const refresh = node.member('refresh_on_back');
  if (refresh?.value === true && dataApiVersion === undefined) {
    const message = "Property 'refresh_on_back' can only be specified with 'data_api_version'.";
    report.error('INVALID_PROPERTY_VALUE', message, refresh);
  }
}

function checkSensitive({ node, inputs }: ScreenSource, report: Report): void {
  for (const field of node.member('sensitive')?.items() ?? []) {
    if (field.string !== undefined && !inputs.has(field.string)) {
      const message = `Sensitive field '${excerpt(field.string)}' is not a Form component of the screen.`;
      report.error('INVALID_SENSITIVE_FIELD', message, field);
    }
  }
}
