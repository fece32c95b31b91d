import { createHmac } from 'node:crypto';
import type { DynamicFlow, ExchangeContext } from '../flow-endpoint/exchange.ts';
import { exchangeClear, exchangeSealed } from '../flow-endpoint/exchange.ts';
import type { ExchangeRecord } from '../flow-endpoint/exchange-record.ts';
import { explainExchange } from '../flow-endpoint/explain.ts';
import { parseJson } from '../flow-endpoint/parse-json.ts';
import { sealRequest } from '../flow-endpoint/phone-envelope.ts';
import { type Language, render } from '../language/language.ts';
import type { PreviewRecord } from './preview.ts';
import { previewTexts } from './texts.ts';

/** What the page asks of the Flow's endpoint. */
export interface PageRequest {
  action: 'INIT' | 'BACK' | 'data_exchange';
  screen?: string | undefined;
  data: Readonly<Record<string, unknown>>;
}

/** What came of it: an answer in clear text, or what went wrong, in words. */
export interface PageAnswer {
  answer?: unknown;
  fault?: string;
  /** HTTP status of the endpoint. */
  status?: number;
}

/** The phone's side, which the upstream has in earnest. */
export interface PhoneContext {
  /** The public key (PEM) that the upstream has for the preview's number, if there is one. */
  publicKey: (preview: PreviewRecord) => Promise<string | undefined>;
  /** What the upstream signs with. */
  appSecret: () => Promise<string | undefined>;
  exchange: ExchangeContext;
}

/** Asks a Flow's endpoint as the upstream would for a phone that has the Flow open. */
export function exchangeAsPhone(
  flow: DynamicFlow,
  preview: PreviewRecord,
  request: PageRequest,
  context: PhoneContext,
  language: Language,
): Promise<PageAnswer> {
  const { action, screen, data } = request;
  const clear = JSON.stringify({ version: '3.0', action, screen, data, flow_token: `preview-${preview.id}` });
  return flow.endpoint_encrypted
    ? exchangeEncrypted(flow, preview, clear, context, language)
    : exchangePlain(flow, clear, context, language);
}

async function exchangePlain(
  flow: DynamicFlow,
  clear: string,
  { exchange }: PhoneContext,
  language: Language,
): Promise<PageAnswer> {
  const { verdict, record } = await exchangeClear(flow, Buffer.from(clear), exchange);
  if (!verdict.relayed) return failed(record, language);
  return answered(verdict.status, parseJson(verdict.body), language);
}

async function exchangeEncrypted(
  flow: DynamicFlow,
  preview: PreviewRecord,
  clear: string,
  { publicKey, appSecret, exchange }: PhoneContext,
  language: Language,
): Promise<PageAnswer> {
  const [key, secret] = await Promise.all([publicKey(preview), appSecret()]);
  if (key === undefined) return { fault: render(previewTexts.noPublicKey, language) };
  const envelope = sealRequest(clear, key);
  const body = Buffer.from(envelope.body);
  const headers = secret === undefined ? {} : { 'x-hub-signature-256': hubSignature(body, secret) };
  const { verdict, record } = await exchangeSealed(flow, body, headers, exchange);
  if (!verdict.relayed) return failed(record, language);
  const { status, body: sealed } = verdict;
  if (status === 421) return { status, fault: render(previewTexts.cannotDecrypt, language) };
  const opened = sealed.length === 0 ? undefined : orUndefined(() => envelope.open(sealed.toString('latin1')));
  if (status === 200 && !opened) return { status, fault: render(previewTexts.notEncryptedForUs, language) };
  return answered(status, opened && parseJson(opened), language);
}

/** 427 ends a Flow whose token is dead; the endpoint may say why in words for its user. */
function answered(status: number, answer: unknown, language: Language): PageAnswer {
  if (status === 200) return { status, answer };
  const { error_msg } = Object(answer);
  return { status, fault: typeof error_msg === 'string' ? error_msg : render(previewTexts.tokenRefused, language) };
}

function failed(record: ExchangeRecord, language: Language): PageAnswer {
  const fault = explainExchange(record, language) ?? '';
  return { fault, ...(record.status !== null && { status: record.status }) };
}

function hubSignature(body: Buffer, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

function orUndefined<T>(open: () => T): T | undefined {
  try {
    return open();
  } catch {
    return undefined;
  }
}
