import { requestVersion } from '#shared/flow-json/document/data-api-version.ts';
import { signatureHeader } from '../core/signature-header.ts';

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
export type SealRequest = (request: string, publicKey: string, dataApiVersion: string) => SealedRequest;

export interface SealedRequest {
  /** The JSON that is posted. */
  readonly body: string;
  /** Decrypts the response. Throws when it is not encrypted for this request. */
  open(response: string): Buffer;
}

const timeoutMs = 10_000;

export type EndpointClient = (
  endpoint: { readonly uri: string; readonly publicKey: string; readonly dataApiVersion: string | null },
  request: EndpointRequest,
) => Promise<EndpointResponse>;

/** Calls the endpoints of Flows as the upstream does for phones: encrypted, and signed with the app secret. */
export function endpointClient(appSecret: () => string, sealRequest: SealRequest): EndpointClient {
  return async ({ uri, publicKey, dataApiVersion }, request) => {
    const version = requestVersion(dataApiVersion ?? undefined);
    const sealed = sealRequest(JSON.stringify({ version, ...request }), publicKey, version);
    const headers = { 'content-type': 'application/json', ...signatureHeader(sealed.body, appSecret()) };
    try {
      const signal = AbortSignal.timeout(timeoutMs);
      const response = await fetch(uri, { method: 'POST', headers, body: sealed.body, redirect: 'manual', signal });
      const body = await response.text();
      return { status: response.status, body, answer: decryptedJson(body, sealed.open) };
    } catch {
      return { status: null, body: '', answer: null };
    }
  };
}

function decryptedJson(body: string, open: (answer: string) => Buffer): unknown {
  try {
    return JSON.parse(open(body).toString());
  } catch {
    return null;
  }
}
