import { maxJsonDepth, nestsDeeperThan, parseJson } from '#shared/base/json.ts';
import type { CheckedResponse } from '#shared/flow-endpoint/check-response.ts';
import type { ExchangeRecord } from '#shared/flow-endpoint/exchange-record.ts';
import { explainExchange, explainFinding } from '#shared/flow-endpoint/explain-exchange.ts';
import { type Language, render } from '#shared/http/language.ts';
import type { PhoneExchange } from './exchange-as-phone.ts';
import { previewTexts } from './texts.ts';

/** What the page learns: the decrypted response, the findings about it, and why a phone could not continue with it. */
export interface PageResponse {
  answer?: unknown;
  problems?: string[];
  fault?: string;
  /** The endpoint's HTTP status. */
  status?: number;
}

export function pageResponse(exchange: PhoneExchange, language: Language): PageResponse {
  if (exchange === 'no-public-key') return { fault: render(previewTexts.noPublicKey, language) };
  return exchangedResponse(exchange.checked, exchange.record, language);
}

function exchangedResponse(checked: CheckedResponse, record: ExchangeRecord, language: Language): PageResponse {
  const status = record.status === null ? {} : { status: record.status };
  if (!checked.relayed || checked.fault !== undefined) {
    const answer = checked.body && shown(checked.body);
    return { ...status, ...(answer !== undefined && { answer }), fault: explainExchange(record, language) ?? '' };
  }
  const answer = parseJson(checked.body);
  if (checked.status === 200) {
    return { ...status, answer, problems: record.findings.map((finding) => explainFinding(finding, language)) };
  }
  // 427 ends a Flow whose token is no longer valid; the endpoint may explain the reason to the user.
  const { error_msg } = Object(answer);
  return {
    ...status,
    ...(answer !== undefined && { answer }),
    fault: typeof error_msg === 'string' ? error_msg : render(previewTexts.tokenEnded, language),
  };
}

/** Returns a response body for people to read: JSON, or otherwise the beginning of the text. */
function shown(body: Buffer): unknown {
  const json = parseJson(body);
  if (json !== undefined && !nestsDeeperThan(maxJsonDepth, json)) return json;
  return body.length === 0 ? undefined : body.toString('utf8', 0, shownBytes);
}

const shownBytes = 10_000;
