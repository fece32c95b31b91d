import type { APIGatewayProxyEventV2WithLambdaAuthorizer } from 'aws-lambda';
import { type Language, negotiateLanguage } from '../language/language.ts';
import type { AuthorizerContext } from './authorize.ts';

/** A request in the form of API Gateway's HTTP API (payload format 2.0), with the authorizer's result. */
export type HttpEvent = APIGatewayProxyEventV2WithLambdaAuthorizer<AuthorizerContext | null>;

/**
 * Reads a header. API Gateway makes header names lower-case, but not every stand-in does (`sam local` capitalises
 * them).
 */
export function header({ headers }: HttpEvent, name: string): string | undefined {
  return headers[name] ?? lowerCased(headers).get(name);
}

type Headers = HttpEvent['headers'];

const known = new WeakMap<Headers, ReadonlyMap<string, string | undefined>>();

/** The headers by their lower-case names, determined once for each request: most requests lack several headers. */
function lowerCased(headers: Headers): ReadonlyMap<string, string | undefined> {
  const names =
    known.get(headers) ?? new Map(Object.entries(headers).map(([key, value]) => [key.toLowerCase(), value]));
  known.set(headers, names);
  return names;
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
