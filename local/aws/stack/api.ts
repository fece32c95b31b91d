import { type GatewayOptions, startGateway } from '../gateway/gateway.ts';
import { readHttpApi } from '../template/http-api.ts';
import type { Stack } from './stack.ts';

export type ApiOptions = Pick<GatewayOptions, 'port' | 'hosts' | 'publicHost' | 'invoke' | 'onError'>;

/** Starts the gateway with the routes of the template. */
export const startApi = ({ template, region, resolve }: Stack, options: ApiOptions) =>
  startGateway({ ...options, api: readHttpApi(template, resolve), region });
