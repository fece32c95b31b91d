import { simulatedApp } from '../core/app.ts';
import { GraphError } from '../core/graph-errors.ts';
import { knownFields } from '../events/events.ts';
import { parseFields } from '../http/fields.ts';
import type { AuthorizedRequest, GraphRequest, GraphRoute } from '../http/graph-route.ts';
import { graphNode } from '../http/node.ts';
import { missing, type Params, stringListParam, stringParam } from '../http/params.ts';
import { type AppSubscription, subscribedObject } from './app-subscription.ts';
import { type Handshake, readCallback } from './callbacks.ts';
import type { Tokens } from './tokens.ts';

export interface AppRoutesOptions {
  readonly tokens: Tokens;
  readonly app: AppSubscription;
  readonly handshake: Handshake;
}

const fieldVersion = 'v25.0';

/** Graph's operations on tokens and apps (its pages "Debug token", "Application" and "App subscriptions"). */
export function appRoutes({ tokens, app, handshake }: AppRoutesOptions): GraphRoute[] {
  const isApp = ({ id }: GraphRequest) => id === 'app' || id === simulatedApp.id;
  const subscriptions = { edge: 'subscriptions', token: 'app', takes: isApp } as const;
  return [
    {
      operation: 'debug_token',
      method: 'GET',
      token: 'any',
      takes: ({ id }) => id === 'debug_token',
      handle: debugToken,
    },
    { operation: 'get_app', method: 'GET', token: 'any', takes: isApp, handle: getApp },
    { operation: 'list_subscriptions', method: 'GET', ...subscriptions, handle: list },
    { operation: 'subscribe_app', method: 'POST', ...subscriptions, handle: subscribe },
    { operation: 'unsubscribe_app', method: 'DELETE', ...subscriptions, handle: unsubscribe },
  ];

  function debugToken({ url, viewer }: AuthorizedRequest) {
    const inputToken = url.searchParams.get('input_token');
    if (inputToken === null) throw missing('input_token');
    return { data: tokens.inspect(inputToken, viewer) };
  }

  function getApp({ url, viewer }: AuthorizedRequest) {
    const node = { ...simulatedApp, ...tokens.appOf(viewer) };
    const readers = { id: () => node.id, name: () => node.name, link: () => node.link, category: () => node.category };
    return graphNode(
      'Application',
      readers,
      node,
      parseFields(url.searchParams.get('fields') ?? 'category,link,name,id'),
    );
  }

  function list() {
    const subscription = app.current();
    if (subscription === null) return { data: [] };
    const { callback_url, fields } = subscription;
    const named = fields.map((name) => ({ name, version: fieldVersion }));
    return { data: [{ object: subscribedObject, callback_url, active: true, fields: named }] };
  }

  async function subscribe({ params }: GraphRequest) {
    if (stringParam(params, 'object') === undefined) throw missing('object');
    assertObject(params);
    const fields = fieldsIn(params);
    if (fields === undefined) throw missing('fields');
    const callback = readCallback(params);
    await handshake(callback);
    app.set({ callback_url: callback.url, fields });
    return { success: true };
  }

  function unsubscribe({ params, url }: GraphRequest) {
    const all = new Map([...url.searchParams, ...params]);
    assertObject(all);
    app.remove(fieldsIn(all));
    return { success: true };
  }
}

function assertObject(params: Params): void {
  const object = stringParam(params, 'object') ?? subscribedObject;
  if (object === subscribedObject) return;
  throw new GraphError('invalid_parameter', `Param object must be one of {${subscribedObject}}`);
}

/** Graph takes the fields as an array, or as names with commas between them. */
function fieldsIn(params: Params): readonly string[] | undefined {
  const value = params.get('fields');
  const isList = typeof value === 'string' && !value.trim().startsWith('[');
  const fields = isList ? value.split(',').map((name) => name.trim()) : stringListParam(params, 'fields');
  const unknown = fields?.find((name) => !knownFields.has(name));
  if (unknown === undefined) return fields && [...new Set(fields)];
  throw new GraphError('invalid_parameter', `Param fields: ${JSON.stringify(unknown)} is not a field of the object`);
}
