/** Log lines of level error that a foreign fault explains: the upstream or a customer's endpoint failed. */
const foreign = new Set(['upstream.failed', 'exchange.out-of-time']);
const foreignStatuses = new Set([502, 503, 504]);

/** The lines of the functions' log that report a fault of the service: errors, crashes and timeouts. */
export function logFaults(lines: readonly string[]): string[] {
  return lines.filter((line) => {
    const entry = parse(line.slice(line.indexOf('{')));
    if (!entry) return /error|timed out|exited|crash/i.test(line);
    if (entry.level !== 'ERROR') return false;
    const { event, status, error } = entry.message ?? {};
    // The machine was too busy for a call to end in time; the queue delivers the message again.
    if (event === 'delivery.failed' && error === 'TimeoutError') return false;
    return !(foreign.has(String(event)) || (event === 'request' && foreignStatuses.has(Number(status))));
  });
}

/** The gateway's reports about requests that it rejects itself. */
const rejections = new Set(['URIError', 'RequestTooLargeException']);

/** The errors of the local world's own parts that no request explains. */
export function worldFaults(errors: readonly Error[]): string[] {
  return errors.filter(({ name }) => !rejections.has(name)).map(({ stack, message }) => stack ?? message);
}

interface Entry {
  level?: string;
  message?: { event?: unknown; status?: unknown; error?: unknown };
}

function parse(text: string): Entry | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
