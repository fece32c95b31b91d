import type { EndpointRequest } from '#shared/flow-json/play/state.ts';
import type { Say } from './say.ts';

/** The outcome of a request to the Flow's endpoint, which the service makes for the page. */
export interface ExchangeResult {
  /** The endpoint's response, in clear text if it could be read. */
  readonly answer?: unknown;
  /** The endpoint's HTTP status. */
  readonly status?: number;
  /** An explanation of why a phone could not continue. */
  readonly fault?: string;
  /** Explanations of what phones may not show as intended. */
  readonly problems?: readonly string[];
}

/**
 * Asks the service to make an exchange with the Flow's endpoint, as a phone would.
 * @param preview the id of the preview, which is a part of its address
 */
export async function requestExchange(preview: string, request: EndpointRequest, say: Say): Promise<ExchangeResult> {
  try {
    const response = await fetch(`${preview}/exchange`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
    });
    if (response.status === 404) return { fault: say('over') };
    const body = await response.json();
    return response.ok ? body : { fault: String(body.message) };
  } catch {
    return { fault: say('unreachable') };
  }
}
