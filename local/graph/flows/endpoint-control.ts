import * as z from 'zod/mini';
import type { BusinessAccount } from '../core/accounts.ts';
import type { GraphErrorName } from '../core/graph-errors.ts';
import { ControlError, readJson } from '../http/control-route.ts';
import type { SetupFaults } from '../setup/faults.ts';
import type { EndpointClient, EndpointRequest, EndpointResponse } from './endpoint-client.ts';
import type { Flow } from './flows.ts';
import { type PublicKeys, publicKeyFor } from './public-keys.ts';

export interface EndpointControlOptions {
  readonly accounts: readonly BusinessAccount[];
  readonly publicKeys: PublicKeys;
  readonly askEndpoint: EndpointClient;
  readonly faults: SetupFaults;
}

const exchangeSchema = z.strictObject({
  action: z.string(),
  screen: z.optional(z.string()),
  data: z.optional(z.unknown()),
  flow_token: z.optional(z.string()),
  /** The number whose public key is used. Defaults to the account's first number with a key. */
  phone_number_id: z.optional(z.string()),
});

/** Plays the phone: sends the body's request to the endpoint of a Flow. */
export function exchangeData(options: EndpointControlOptions, flow: Flow, body: Uint8Array): Promise<EndpointResponse> {
  const { phone_number_id, ...request } = readJson(exchangeSchema, body);
  return askFlow(options, flow, request, phone_number_id);
}

/** Sends a phone's request to the endpoint of a Flow, encrypted for the number. */
export function askFlow(
  options: EndpointControlOptions,
  flow: Flow,
  request: EndpointRequest,
  phoneNumberId?: string,
): Promise<EndpointResponse> {
  const publicKey = keyOf(options, flow, phoneNumberId);
  const { endpoint_uri: uri, data_api_version: dataApiVersion } = flow;
  if (uri === null) throw new ControlError(409, 'The Flow has no endpoint_uri');
  if (publicKey === undefined) throw new ControlError(409, 'The number has no public key');
  return options.askEndpoint({ uri, publicKey, dataApiVersion }, request);
}

/** Why Graph would not publish a Flow because of its endpoint. */
export async function endpointObstacle(
  options: EndpointControlOptions,
  flow: Flow,
): Promise<GraphErrorName | undefined> {
  const { endpoint_uri: uri, data_api_version: dataApiVersion } = flow;
  if (dataApiVersion === null || uri === null) return undefined;
  const publicKey = keyOf(options, flow);
  if (publicKey === undefined) return 'publish_without_public_key';
  if (options.faults.has('flow_endpoint_unavailable')) return 'publish_endpoint_unavailable';
  const { status, answer } = await options.askEndpoint({ uri, publicKey, dataApiVersion }, { action: 'ping' });
  return status === 200 && isActive(answer) ? undefined : 'publish_endpoint_unavailable';
}

function keyOf({ accounts, publicKeys }: EndpointControlOptions, flow: Flow, phoneNumberId?: string) {
  const account = accounts.find(({ waba_id }) => waba_id === flow.waba_id);
  return account && publicKeyFor(publicKeys, account, phoneNumberId);
}

function isActive(answer: unknown): boolean {
  return z.safeParse(z.object({ data: z.object({ status: z.literal('active') }) }), answer).success;
}
