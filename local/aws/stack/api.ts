import { type GatewayOptions, startGateway } from '../gateway/gateway.ts';
import { readHttpApi } from '../template/http-api.ts';
import type { Stack } from './stack.ts';

export interface ApiOptions extends Pick<GatewayOptions, 'port' | 'hosts' | 'proof' | 'invoke' | 'onError'> {
  /** The keys of the routes that it has. Without them, it has all. */
  readonly routeKeys?: ReadonlySet<string> | undefined;
}

/** Starts a gateway with the routes of the template. */
export function startApi({ template, resolve }: Stack, { routeKeys, ...options }: ApiOptions) {
  const api = readHttpApi(template, resolve);
  const routes = api.routes.filter(({ routeKey }) => routeKeys?.has(routeKey) ?? true);
  return startGateway({ ...options, api: { ...api, routes } });
}
