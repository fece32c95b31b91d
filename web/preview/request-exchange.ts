import type { EndpointRequest } from '#shared/flow-json/play/state.ts';
import type { Say } from './say.ts';

/** What came of a request to the Flow's endpoint, which the service makes for the page. */
export interface ExchangeResult {
  /** The endpoint's response, in clear text if it could be read. */
  readonly answer?: unknown;
  /** HTTP status of the endpoint. */
  readonly status?: number;
  /** Why a phone could not go on, in words. */
  readonly fault?: string;
  /** What phones may not show as meant, in words. */
  readonly problems?: readonly string[];
}

/**
 * Asks the service to make an exchange with the Flow's endpoint, as a phone would.
 * @param preview id of the preview, of whose address this is a part
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
