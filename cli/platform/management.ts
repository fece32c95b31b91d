import * as z from 'zod/mini';
import type { Clock } from '#shared/base/time.ts';
import { UpstreamError } from '#shared/base/upstream-error.ts';
import { upstreamCallSettings } from '#shared/calls/calls-graph.ts';
import { upstreamEncryption } from '#shared/flow-endpoint/encryption-graph.ts';
import { connectionError, type GraphRequest, graphClient, parseResponse } from '#shared/graph/graph-client.ts';
import {
  appSchema,
  businessAccountSchema,
  fieldsOf,
  namedNumberSchema,
  phoneNumberSchema,
  platformFlowSchema,
  type Subscription,
  subscribedAppSchema,
  subscriptionSchema,
  type TokenInfo,
  tokenInfoSchema,
} from './objects.ts';

interface ManagementPlace {
  /** Base URL of Graph, without the version. */
  baseUrl: string;
  graphVersion: string;
  /** Reads the access token of the business. Its errors are passed on. */
  accessToken: () => Promise<string>;
  now: Clock;
}

/** An app and the secret that makes it prove itself. */
export interface AppCredentials {
  id: string;
  secret: string;
}

/** Where events should go, and the token that proves to the receiver that the platform asks. */
export interface Callback {
  url: string;
  verifyToken: string;
}

/** The kind of object whose events this service gets. */
const subscribedObject = 'whatsapp_business_account';

const budgetMs = 30_000;
const callTimeoutMs = 15_000;
const pageSize = 100;
const maxPages = 20;

/** Some routes report success as a text. */
const outcome = z.object({ success: z.optional(z.union([z.boolean(), z.string()])) });
const debugged = z.object({ data: tokenInfoSchema });
const page = z.object({
  data: z.array(z.unknown()),
  paging: z.optional(
    z.object({ next: z.optional(z.string()), cursors: z.optional(z.object({ after: z.optional(z.string()) })) }),
  ),
});

export type Management = ReturnType<typeof openManagement>;

/**
 * Graph's routes that set up apps, business accounts and numbers. Every method throws `UpstreamError` on failure. Reads
 * are retried, changes are sent once. Routes of an app take the app's own credentials; the others use the access token.
 */
export function openManagement({ baseUrl, graphVersion: version, accessToken, now }: ManagementPlace) {
  const settings = { baseUrl, version, timeoutMs: callTimeoutMs };
  const callAs = (token: () => Promise<string>) => (request: GraphRequest) =>
    graphClient(settings, token, now() + budgetMs, now)(request);
  const call = callAs(accessToken);
  const asApp = ({ id, secret }: AppCredentials) => callAs(async () => `${id}|${secret}`);

  const path = (id: string, edge?: string) => [encodeURIComponent(id), edge].filter(Boolean).join('/');

  /** Reads an object without the fields that this version of Graph does not have, for which it rejects the request. */
  async function node<S extends z.ZodMiniType & { shape: object }>(id: string, schema: S): Promise<z.output<S>> {
    const fields = new Set(fieldsOf(schema).split(','));
    for (;;) {
      try {
        const query = { fields: [...fields].join(',') };
        return parseResponse(schema, await call({ method: 'GET', path: path(id), query }));
      } catch (error) {
        const missing = nonexistingField(error);
        if (missing === undefined || !fields.delete(missing)) throw error;
      }
    }
  }

  /** The headers of a response, whatever its status. */
  async function head(id: string, token?: string): Promise<Response> {
    const response = await fetch(`${baseUrl.replace(/\/+$/, '')}/${version}/${path(id)}`, {
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      redirect: 'error',
      signal: AbortSignal.timeout(callTimeoutMs),
    }).catch((error: unknown) => {
      throw connectionError(error);
    });
    await response.body?.cancel();
    return response;
  }

  async function all<S extends z.ZodMiniType>(
    request: { path: string; fields?: string },
    schema: S,
    as = call,
  ): Promise<z.output<S>[]> {
    const found: z.output<S>[] = [];
    let after: string | undefined;
    for (let read = 0; read < maxPages; read++) {
      const query = {
        limit: String(pageSize),
        ...(request.fields !== undefined && { fields: request.fields }),
        ...(after !== undefined && { after }),
      };
      const { data, paging } = parseResponse(page, await as({ method: 'GET', path: request.path, query }));
      found.push(...data.map((entry) => parseResponse(schema, entry)));
      after = paging?.next === undefined ? undefined : paging.cursors?.after;
      if (after === undefined) break;
    }
    return found;
  }

  async function change(request: GraphRequest, as = call): Promise<void> {
    const { success } = parseResponse(outcome, await as(request));
    if (success === false || success === 'false') {
      throw new UpstreamError('rejected', 'The messaging platform did not accept the change.');
    }
  }

  return {
    /** The access token as the platform sees it. One that it rejects is not valid. */
    async tokenInfo(): Promise<TokenInfo> {
      const query = { input_token: await accessToken() };
      try {
        return parseResponse(debugged, await call({ method: 'GET', path: 'debug_token', query })).data;
      } catch (error) {
        if (!(error instanceof UpstreamError) || error.failure !== 'credentials') throw error;
        const { code, subcode, message } = error;
        return { is_valid: false, error: { code, subcode, message } };
      }
    },

    /** The app that these credentials belong to. Fails if the secret is wrong. */
    async app(app: AppCredentials) {
      return parseResponse(appSchema, await asApp(app)({ method: 'GET', path: 'app' }));
    },

    /** The app's subscription to the events of business accounts; undefined if there is none. */
    async subscription(app: AppCredentials): Promise<Subscription | undefined> {
      const found = await all({ path: path(app.id, 'subscriptions') }, subscriptionSchema, asApp(app));
      return found.find(({ object }) => object === subscribedObject);
    },

    /** Sets the app's callback and all of its fields. The platform calls the callback before it responds. */
    subscribeApp: (app: AppCredentials, { url, verifyToken }: Callback, fields: readonly string[]): Promise<void> =>
      change(
        {
          method: 'POST',
          path: path(app.id, 'subscriptions'),
          json: {
            object: subscribedObject,
            callback_url: url,
            verify_token: verifyToken,
            fields: fields.join(','),
            include_values: true,
          },
        },
        asApp(app),
      ),

    businessAccount: (wabaId: string) => node(wabaId, businessAccountSchema),

    /** Only what every version of Graph has: it rejects a list with a field that it does not know. */
    phoneNumbers: (wabaId: string) =>
      all({ path: path(wabaId, 'phone_numbers'), fields: fieldsOf(namedNumberSchema) }, namedNumberSchema),

    flow: (flowId: string) => node(flowId, platformFlowSchema),

    subscribedApps: (wabaId: string) => all({ path: path(wabaId, 'subscribed_apps') }, subscribedAppSchema),

    /** Subscribes the token's app to the account. Without a callback of the account, one that is set is removed. */
    subscribeAccount: (wabaId: string, callback?: Callback): Promise<void> =>
      change({
        method: 'POST',
        path: path(wabaId, 'subscribed_apps'),
        ...(callback && { json: { override_callback_uri: callback.url, verify_token: callback.verifyToken } }),
      }),

    phoneNumber: (phoneNumberId: string) => node(phoneNumberId, phoneNumberSchema),

    /** Sets the callback of the number itself, or removes it. */
    setNumberCallback: (phoneNumberId: string, callback: Callback | undefined): Promise<void> =>
      change({
        method: 'POST',
        path: path(phoneNumberId),
        json: {
          webhook_configuration: { override_callback_uri: callback?.url ?? '', verify_token: callback?.verifyToken },
        },
      }),

    /** The platform allows ten registrations of a number in 72 hours. */
    register: (phoneNumberId: string, pin: string): Promise<void> =>
      change({ method: 'POST', path: path(phoneNumberId, 'register'), json: { messaging_product: 'whatsapp', pin } }),

    /** Settings of calls and of SIP. */
    calling: upstreamCallSettings(call),
    /** The public keys of numbers. */
    encryption: upstreamEncryption(call),

    /**
     * The share of the calls that the platform allows in an hour which is used, in percent: the highest of those that it
     * shows (Meta, "Rate limits"); undefined if it shows none.
     */
    async usage(wabaId: string): Promise<number | undefined> {
      const { headers } = await head(wabaId, await accessToken());
      const shares = ['x-app-usage', 'x-business-use-case-usage'].flatMap((name) => [
        ...(headers.get(name) ?? '').matchAll(/"(?:call_count|total_cputime|total_time)"\s*:\s*(\d+)/g),
      ]);
      return shares.length === 0 ? undefined : Math.max(...shares.map(([, share]) => Number(share)));
    },

    /**
     * The platform's clock minus this machine's in milliseconds, correct to about a second; undefined if it is not shown.
     */
    async clockOffset(): Promise<number | undefined> {
      const sentAt = now();
      const { headers } = await head('app');
      const theirs = Date.parse(headers.get('date') ?? '');
      // The header has whole seconds, rounded down.
      return Number.isNaN(theirs) ? undefined : theirs + 500 - (sentAt + now()) / 2;
    },
  };
}

/** The field that Graph says its version does not have. */
function nonexistingField(error: unknown): string | undefined {
  if (!(error instanceof UpstreamError) || error.code !== 100) return undefined;
  return /nonexisting field \((\w+)\)/.exec(`${error.message} ${error.details ?? ''}`)?.[1];
}
