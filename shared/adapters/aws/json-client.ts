import { Agent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import { isObject } from '#shared/base/json/json-object.ts';
import { parseJson } from '#shared/base/json/parse-json.ts';
import { AwsError, type ErrorDetails } from './aws-error.ts';
import type { AwsService, Connection } from './connection.ts';
import { post } from './post.ts';
import { isTransient, maxAttempts, pauseAfter } from './retries.ts';
import { requestSigner } from './signature.ts';

/** The operations of a service: what each takes and returns. */
export type Operations = Record<string, { input: object; output: object }>;

/** Calls an AWS service that speaks JSON. */
export interface JsonClient<O extends Operations> {
  call<N extends keyof O & string>(operation: N, input: O[N]['input']): Promise<O[N]['output']>;
  /** Closes the connections that wait for further calls. */
  destroy(): void;
}

export interface JsonService {
  service: AwsService;
  /** What precedes the operation's name in `X-Amz-Target`. */
  target: string;
  /** The version of the protocol, AWS JSON 1.0 or 1.1. */
  version: '1.0' | '1.1';
  /** Milliseconds for one attempt. */
  timeoutMs: number;
  /** Whether an error of this service, other than those of all services, goes away by itself. */
  isTransient?: (error: AwsError) => boolean;
}

/** The most connections of one client, which are also its calls in progress. */
const maxSockets = 50;

/** Milliseconds for a new connection. */
const connectMs = 1_000;

/**
 * Creates a client for a service. A call makes at most three attempts, as the SDK's do. Its input must contain what
 * makes it idempotent, such as a `ClientRequestToken`.
 */
export function jsonClient<O extends Operations>(service: JsonService, connection: Connection): JsonClient<O> {
  const url = new URL(connection.endpoint);
  const agentOptions = { keepAlive: true, maxSockets };
  const agent = url.protocol === 'https:' ? new HttpsAgent(agentOptions) : new Agent(agentOptions);
  // An IPv6 address has brackets in a URL only.
  const hostname = url.hostname.replace(/[[\]]/g, '');
  const destination = { protocol: url.protocol, hostname, port: url.port, path: url.pathname, agent };
  const timeouts = { connectMs, requestMs: service.timeoutMs };
  const { region, credentials } = connection;
  const contentType = `application/x-amz-json-${service.version}`;
  const sign = requestSigner({ url, service: service.service, region, contentType });

  async function attempt(headers: readonly string[], body: string): Promise<object> {
    const response = await post(destination, headers, body, timeouts);
    const content = parseJson(response.body);
    if (response.status !== 200) throw errorOf(response.status, content);
    if (!isObject(content)) throw new AwsError('InvalidResponse', `${url.host} did not return JSON`, 502);
    return content;
  }

  const mayRetry = (error: Error) =>
    isTransient(error) || (error instanceof AwsError && service.isTransient?.(error) === true);

  return {
    async call(operation, input) {
      const body = JSON.stringify(input);
      const held = typeof credentials === 'function' ? await credentials() : credentials;
      for (let made = 1; ; made++) {
        const headers = sign(held, `${service.target}.${operation}`, body, new Date());
        try {
          return (await attempt(headers, body)) as never;
        } catch (error) {
          if (made === maxAttempts || !(error instanceof Error && mayRetry(error))) throw error;
          await delay(pauseAfter(made, error, Math.random()));
        }
      }
    },

    destroy: () => agent.destroy(),
  };
}

/** Reads an error: its code is the part of `__type` after `#` (AWS JSON protocol, operation errors). */
function errorOf(status: number, content: unknown): AwsError {
  const details: ErrorDetails = isObject(content) ? content : {};
  const { __type: type, message, Message: otherMessage } = details;
  const code = typeof type === 'string' ? type.slice(type.indexOf('#') + 1) : `HTTP ${status}`;
  const text = [message, otherMessage].find((one) => typeof one === 'string');
  return new AwsError(code, text ?? `The service returned ${status}`, status, details);
}
