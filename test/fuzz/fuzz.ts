import { errorTable } from '#docs/write/error-table.ts';
import type { WorldDescription } from '#local/world-description.ts';
import { type OpenApi, type Operation, readOperations, routeOf } from './document.ts';
import { asCurl, createClient, type FuzzResponse } from './http.ts';
import { createOracles } from './oracles.ts';
import { createPool } from './pool.ts';
import { prepare } from './prepare.ts';
import { createRandom, requestSeed } from './random.ts';
import { startReceiver } from './receiver.ts';
import { type FuzzRequest, makeRequest } from './requests.ts';
import { createTableClient } from './table-client.ts';
import { createValues } from './values.ts';

export interface FuzzOptions {
  world: WorldDescription;
  seed: number;
  /** Called before each batch with the number of requests sent so far. */
  goOn: (sent: number) => boolean;
  onProgress?: (figures: Figures) => void;
}

export interface Failure {
  index: number;
  faults: string[];
  /** How to send the request again. */
  curl: string;
  response: string;
}

export interface Figures {
  /** How many the document has. */
  operations: number;
  requests: number;
  byOperation: Record<string, number>;
  byStatus: Record<string, number>;
  /** Successes by operation: whether the requests reach the handlers. */
  successes: Record<string, number>;
  failures: Failure[];
  slowestMs: number;
}

/**
 * Requests that are sent in parallel. Each batch uses only what earlier batches have learned, so that a run depends on
 * its seed alone.
 */
const batchSize = 8;

/** How often a lap uses each operation, and how many operations it alternates between. */
const roundsPerLap = 3;
const together = 16;

/** Sends requests to a world, made from the document that it serves, and checks every response. */
export async function fuzz({ world, seed, goOn, onProgress }: FuzzOptions): Promise<Figures> {
  const document = (await (await fetch(`${world.base_url}/v2/openapi.json`)).json()) as OpenApi;
  const operations = readOperations(document);
  const receiver = await startReceiver();
  const client = createClient(world.base_url);
  const pool = createPool(world, receiver.url, await prepare(world));
  const sources = { world, pool, makeValue: createValues(document, pool) };
  const faultsOf = createOracles(document, operations, world);
  const tableFaultsOf = createTableClient(errorTable);
  const figures: Figures = {
    operations: operations.length,
    requests: 0,
    byOperation: {},
    byStatus: {},
    successes: {},
    failures: [],
    slowestMs: 0,
  };

  async function send(index: number): Promise<{ request: FuzzRequest; response: FuzzResponse | Error }> {
    const random = createRandom(requestSeed(seed, index));
    const operation = inTurn(operations, index);
    // The first lap fills the world with the resources of later requests.
    const request = makeRequest(random, operation, sources, index < roundsPerLap * operations.length);
    const start = performance.now();
    const response = await client.send(request).catch((error: Error) => error);
    figures.slowestMs = Math.max(figures.slowestMs, performance.now() - start);
    return { request, response };
  }

  function take(index: number, request: FuzzRequest, response: FuzzResponse | Error): void {
    const { id } = request.operation;
    figures.requests += 1;
    count(figures.byOperation, id);
    const faults =
      response instanceof Error
        ? [`no response: ${response.message}`]
        : [
            ...faultsOf(request, response),
            ...tableFaultsOf(
              routeOf(operations, request.method, request.target.split('?')[0] ?? '') ?? request.operation,
              response,
            ),
          ];
    if (!(response instanceof Error)) {
      count(figures.byStatus, String(response.status));
      if (response.status < 400) count(figures.successes, id);
      pool.learn({ operationId: id, status: response.status, headers: response.headers, body: response.text });
    }
    if (faults.length > 0) {
      figures.failures.push({ index, faults, curl: asCurl(world.base_url, request), response: shown(response) });
    }
  }

  try {
    while (goOn(figures.requests)) {
      const first = figures.requests;
      const batch = await Promise.all(Array.from({ length: batchSize }, (_, offset) => send(first + offset)));
      for (const [offset, { request, response }] of batch.entries()) take(first + offset, request, response);
      onProgress?.(figures);
    }
    return figures;
  } finally {
    client.close();
    await receiver.close();
  }
}

/**
 * Each operation in turn, so that a short run reaches all of them, and most of the time one that was used lately: the
 * world has room for some functions only and must start the others again. So a lap takes a few operations for some
 * rounds before it goes on, and every other lap goes backwards.
 */
function inTurn(operations: readonly Operation[], index: number): Operation {
  const { length } = operations;
  const lap = Math.floor(index / (roundsPerLap * length));
  const inLap = index % (roundsPerLap * length);
  const first = Math.floor(inLap / (roundsPerLap * together)) * together;
  const place = first + ((inLap - roundsPerLap * first) % Math.min(together, length - first));
  const operation = operations[lap % 2 === 0 ? place : length - 1 - place];
  if (!operation) throw new Error('The document has no operations');
  return operation;
}

/** Failures for people: each with its seed, its index and a command that repeats it. */
export function report(failures: readonly Failure[], seed: number): string {
  return failures
    .slice(0, 20)
    .map(
      ({ index, faults, curl, response }) =>
        `seed ${seed}, request ${index}: ${faults.join('; ')}\n${curl}\n${response}\n`,
    )
    .join('\n');
}

function count(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}

function shown(response: FuzzResponse | Error): string {
  if (response instanceof Error) return response.message;
  return `${response.status} ${JSON.stringify(response.headers)}\n${response.text.slice(0, 500)}`;
}
