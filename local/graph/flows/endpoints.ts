import * as z from 'zod/mini';
import { requestVersion } from '#shared/flow-json/document/versions.ts';
import type { Platform } from '../core/platform.ts';
import { ControlError } from '../http/control-route.ts';
import type { GraphErrorName } from '../http/graph-errors.ts';
import { signatureHeader } from '../http/http.ts';
import type { Flow } from './flows.ts';
import { type PublicKeys, publicKeyFor } from './public-keys.ts';

/** A request of a phone or of a health check to an endpoint. */
export interface EndpointRequest {
  readonly action: string;
  readonly screen?: string | undefined;
  readonly data?: unknown;
  readonly flow_token?: string | undefined;
}

export interface EndpointResponse {
  /** Null without a response within the upstream's 10 s. */
  readonly status: number | null;
  /** The body as it was sent. */
  readonly body: string;
  /** The decrypted body. Null if a phone cannot read it. */
  readonly answer: unknown;
}

/** Encrypts a request as a phone does, for the owner of a public key (PEM). */
export type SealRequest = (request: string, publicKey: string) => SealedRequest;

export interface SealedRequest {
  /** The JSON that is posted. */
  readonly body: string;
  /** Decrypts the response. Throws when it is not encrypted for this request. */
  open(response: string): Buffer;
}

export interface EndpointsOptions {
  readonly platform: Platform;
  readonly publicKeys: PublicKeys;
  readonly appSecret: () => string;
  readonly sealRequest: SealRequest;
}

const timeoutMs = 10_000;

const activeSchema = z.object({ data: z.object({ status: z.literal('active') }) });

/** Calls the endpoints of Flows as the upstream does for phones: encrypted, and signed with the app secret. */
export class Endpoints {
  readonly #options: EndpointsOptions;

  constructor(options: EndpointsOptions) {
    this.#options = options;
  }

  /** Sends a phone's request to the endpoint of a Flow, encrypted for this number or the first one with a key. */
  ask(flow: Flow, request: EndpointRequest, phoneNumberId?: string): Promise<EndpointResponse> {
    const publicKey = this.#keyOf(flow, phoneNumberId);
    if (flow.endpoint_uri === null) throw new ControlError(409, 'The Flow has no endpoint_uri');
    if (publicKey === undefined) throw new ControlError(409, 'The number has no public key');
    return this.#send(flow.endpoint_uri, publicKey, flow.data_api_version, request);
  }

  /** Why Graph would not publish a Flow because of its endpoint. */
  async obstacleOf(flow: Flow): Promise<GraphErrorName | undefined> {
    const { endpoint_uri: uri, data_api_version: dataApiVersion } = flow;
    if (dataApiVersion === null || uri === null) return undefined;
    const publicKey = this.#keyOf(flow);
    if (publicKey === undefined) return 'publish_without_public_key';
    if (this.#options.platform.faults.has('flow_endpoint_unavailable')) return 'publish_endpoint_unavailable';
    const { status, answer } = await this.#send(uri, publicKey, dataApiVersion, { action: 'ping' });
    const isActive = status === 200 && z.safeParse(activeSchema, answer).success;
    return isActive ? undefined : 'publish_endpoint_unavailable';
  }

  #keyOf(flow: Flow, phoneNumberId?: string): string | undefined {
    const { platform, publicKeys } = this.#options;
    const account = platform.accounts.find(({ waba_id }) => waba_id === flow.waba_id);
    return account && publicKeyFor(publicKeys, account, phoneNumberId);
  }

  async #send(
    uri: string,
    publicKey: string,
    dataApiVersion: string | null,
    request: EndpointRequest,
  ): Promise<EndpointResponse> {
    const { sealRequest, appSecret } = this.#options;
    const version = requestVersion(dataApiVersion ?? undefined);
    const sealed = sealRequest(JSON.stringify({ version, ...request }), publicKey);
    const headers = { 'content-type': 'application/json', ...signatureHeader(sealed.body, appSecret()) };
    try {
      const signal = AbortSignal.timeout(timeoutMs);
      const response = await fetch(uri, { method: 'POST', headers, body: sealed.body, redirect: 'manual', signal });
      const body = await response.text();
      return { status: response.status, body, answer: decryptedJson(body, sealed.open) };
    } catch {
      return { status: null, body: '', answer: null };
    }
  }
}

function decryptedJson(body: string, open: (answer: string) => Buffer): unknown {
  try {
    return JSON.parse(open(body).toString());
  } catch {
    return null;
  }
}
