import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { type Language, negotiateLanguage } from './language.ts';

/** A request in the form of API Gateway's HTTP API (payload format 2.0). */
export type HttpEvent = APIGatewayProxyEventV2;

/**
 * Reads a header. API Gateway makes header names lower-case, but not every stand-in does (`sam local` capitalises
 * them).
 */
export function header({ headers }: HttpEvent, name: string): string | undefined {
  const value = headers[name];
  if (value !== undefined) return value;
  // Most requests lack several headers, so a name of another length is not converted.
  for (const key in headers) {
    if (key.length === name.length && key.toLowerCase() === name) return headers[key];
  }
  return undefined;
}

/** Reads a cookie. API Gateway passes cookies separately from the headers, each as `name=value`. */
export function cookie(event: HttpEvent, name: string): string | undefined {
  const prefix = `${name}=`;
  return event.cookies?.find((pair) => pair.startsWith(prefix))?.slice(prefix.length);
}

/** Returns the language for the texts of the response. */
export function languageOf(event: HttpEvent): Language {
  return negotiateLanguage(header(event, 'accept-language'));
}
