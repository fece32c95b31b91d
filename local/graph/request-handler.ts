import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody } from '#local/aws/base/http/read-body.ts';
import { minuteMs } from '#shared/base/time.ts';
import { type FaultQueue, type Outcome, withFault } from './control/faults.ts';
import type { BusinessAccount } from './core/accounts.ts';
import type { Watch } from './core/records.ts';
import type { SetupFaults } from './core/setup-faults.ts';
import { type GraphOptions, graphHeaders, identify, respondAsGraph } from './graph.ts';
import { type ControlRoute, isControlPath, respondAsControl } from './http/control-route.ts';
import { jsonResponse, send } from './http/http.ts';
import { readParams } from './http/params.ts';
import { type RequestLog, shownBody, shownParams, shownQuery } from './http/request-log.ts';
import type { FlowFiles } from './media/flow-files.ts';

export interface RequestHandlerOptions {
  readonly accounts: readonly BusinessAccount[];
  readonly graph: GraphOptions;
  readonly control: readonly ControlRoute[];
  readonly faults: FaultQueue;
  readonly setupFaults: SetupFaults;
  readonly log: RequestLog;
  readonly watch?: Watch | undefined;
  readonly now: () => number;
  /** What the platform's media host has. */
  readonly files: FlowFiles;
  /** The origin in links. Defaults to the origin that the caller used. */
  readonly publicUrl: string | undefined;
}

/** A Flow JSON of 10 MB grows when it is escaped into a JSON string. A form may have a document of 100 MB. */
const maxBodyBytes = { form: 101 * 1024 * 1024, other: 64 * 1024 * 1024 };

/** How far Graph's clock is ahead while it is off. */
const clockOffMs = 10 * minuteMs;

/** Responds to HTTP requests as Graph or as the control surface, and applies the injected faults. */
export class RequestHandler {
  readonly #options: RequestHandlerOptions;
  readonly #unanswered = new Set<ServerResponse>();
  readonly #stopping = new AbortController();

  constructor(options: RequestHandlerOptions) {
    this.#options = options;
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    this.#respond(request, response).catch((error: unknown) => {
      if (!this.#stopping.signal.aborted) console.error(error);
      response.destroy();
    });
  }

  /** Ends the requests that faults keep waiting. */
  letGo(): void {
    this.#stopping.abort();
    for (const response of this.#unanswered) response.destroy();
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const isForm = request.headers['content-type']?.startsWith('multipart/form-data');
    const body = await readBody(request, isForm ? maxBodyBytes.form : maxBodyBytes.other);
    const { method = 'GET' } = request;
    const url = URL.parse(`${this.#options.publicUrl ?? `http://${request.headers.host}`}${request.url}`);
    if (url === null) {
      send(response, jsonResponse(400, { error: { message: 'The request target is not valid' } }));
      return;
    }
    const file = this.#options.files.respondAt(url.pathname);
    if (file !== undefined) {
      send(response, file);
    } else if (isControlPath(url.pathname)) {
      const { pathname } = url;
      const contentType = request.headers['content-type'];
      const tooLarge = jsonResponse(413, { error: { message: 'The body is too large' } });
      const result = body && (await respondAsControl(this.#options.control, { method, pathname, contentType, body }));
      send(response, result ?? tooLarge);
    } else {
      await this.#respondAsGraph({ request, response, method, url, body });
    }
  }

  async #respondAsGraph(call: {
    request: IncomingMessage;
    response: ServerResponse;
    method: string;
    url: URL;
    body: Buffer | undefined;
  }): Promise<void> {
    const { request, response, method, url, body } = call;
    const { accounts, graph, faults, setupFaults, log, watch, now } = this.#options;
    const { authorization, range, 'content-type': contentType } = request.headers;
    const params = await readParams(body, contentType);
    const graphCall = { method, url, authorization, range, params };
    const { path, operation } = identify(graph.routes, graphCall);
    const unreachable = setupFaults.has('graph_unreachable') ? ({ kind: 'reset' } as const) : undefined;
    const fault = unreachable ?? faults.take({ method, path, operation });
    const logged = log.add({
      at: new Date(now()).toISOString(),
      method,
      path: url.pathname,
      operation,
      status: null,
      fault: fault?.kind ?? null,
    });

    const seen = { id: randomUUID(), query: shownQuery(url), request: shownParams(params), response: null };
    watch?.('requests', seen.id, { ...logged, ...seen });
    const started = performance.now();
    const traceId = randomBytes(16).toString('base64url');
    const execute = () => respondAsGraph(graph, graphCall, traceId);
    const { signal } = this.#stopping;
    const outcome = fault === undefined ? await execute() : await withFault(fault, { execute, traceId, signal });

    if (typeof outcome === 'string') {
      this.#withhold(outcome, response);
    } else {
      logged.status = outcome.status;
      const duration_ms = Math.round(performance.now() - started);
      watch?.('requests', seen.id, { ...logged, ...seen, response: shownBody(outcome), duration_ms });
      const standing = { usage: usageOf(setupFaults), now: now() + (setupFaults.has('clock_off') ? clockOffMs : 0) };
      const headers = graphHeaders({ url, traceId, accounts, ...standing });
      send(response, { ...outcome, headers: { ...headers, ...outcome.headers } });
    }
  }

  #withhold(outcome: Extract<Outcome, string>, response: ServerResponse): void {
    if (outcome === 'reset') {
      response.socket?.resetAndDestroy();
    } else {
      this.#unanswered.add(response);
      response.once('close', () => this.#unanswered.delete(response));
    }
  }
}

/** The share of the limit of calls that is used, in percent. Otherwise, the app is far below its limits. */
function usageOf(faults: SetupFaults): number {
  if (faults.has('rate_limited')) return 100;
  return faults.has('limit_nearly_reached') ? 92 : 1;
}
