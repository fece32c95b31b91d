import type { ErrorRow, ErrorTable, PlatformRow } from '#docs/write/error-table.ts';
import type { Operation } from './document.ts';
import type { FuzzResponse } from './http.ts';

/** Statuses of responses that a client may send again as they are. */
const passing = new Set([409, 429, 502, 503]);

/**
 * A client that knows nothing but the page of errors. It returns what a response has that the page does not say, or
 * says otherwise; nothing if the client knows what to do.
 */
export function createTableClient({ service, platform, gateway }: ErrorTable) {
  const rows = new Map<string, ErrorRow>(service.map((row) => [row.code, row]));

  return function faultsOf(operation: Operation, response: FuzzResponse): string[] {
    const { status, headers, text } = response;
    const declared = operation.responses.get(status);
    if (status < 400 || (declared && declared.errorCodes === undefined)) return [];
    const code = headers['x-error-code'];
    if (code === undefined) return isOfGateway(status, text) ? [] : [`${status} without x-error-code`];
    const row = rows.get(String(code));
    if (!row) return [`the page does not list ${code}`];
    return [
      ...(row.statuses.includes(status) ? [] : [`${row.code} comes with ${status}`]),
      ...(declared?.errorCodes?.includes(row.code) ? [] : [`${operation.id} does not declare ${row.code}`]),
      ...adviceFaults(row, response),
      ...platformFaults(operation, row, response),
    ];
  };

  function isOfGateway(status: number, text: string): boolean {
    return gateway.some(
      (row) => row.status === status && (text === '' || text === JSON.stringify({ message: row.message })),
    );
  }

  function platformFaults({ id }: Operation, { code: errorCode, advice }: ErrorRow, { status, headers }: FuzzResponse) {
    const code = headers['x-upstream-error-code'];
    if (code === undefined) return [];
    const of = subjectOf(id);
    const meanings = platform.filter((row) => String(row.code) === code && row.of === of && row.status !== undefined);
    const fits = (row: PlatformRow) => row.status === status && row.errorCode === errorCode && row.advice === advice;
    if (meanings.length === 0 || meanings.some(fits)) return [];
    return [`the platform's ${code} is ${status} ${errorCode}`];
  }
}

function adviceFaults({ code, advice, key }: ErrorRow, { status, headers }: FuzzResponse): string[] {
  const wait = headers['retry-after'];
  return [
    ...(advice === 'wait' && !passing.has(status) ? [`${code} says wait, with ${status}`] : []),
    ...(advice === 'wait' && (status === 429 || status === 503) && wait === undefined ? [`${code} says no time`] : []),
    ...(advice !== 'wait' && wait !== undefined ? [`${code} has retry-after, but says ${advice}`] : []),
    ...(headers['idempotency-replayed'] !== undefined && key !== 'kept' ? [`${code} is replayed`] : []),
  ];
}

const subjectOf = (operationId: string): PlatformRow['of'] | undefined => {
  if (/^send(Marketing)?Message$/.test(operationId)) return 'messages';
  return /Call(Permission|Settings)?$/.test(operationId) ? 'calls' : undefined;
};
