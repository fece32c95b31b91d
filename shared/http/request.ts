import type { APIGatewayProxyEventV2WithLambdaAuthorizer } from 'aws-lambda';
import type { AuthorizerContext } from './authorize.ts';
import { type Language, negotiateLanguage } from './language/language.ts';

/** A request as API Gateway's HTTP API sends it (payload format 2.0), with what the authorizer found out. */
export type HttpEvent = APIGatewayProxyEventV2WithLambdaAuthorizer<AuthorizerContext | null>;

/** Header names are lower-case from API Gateway, but not from every stand-in for it (`sam local` capitalises them). */
export function header(event: HttpEvent, name: string): string | undefined {
  return event.headers[name] ?? Object.entries(event.headers).find(([key]) => key.toLowerCase() === name)?.[1];
}

/** API Gateway sends cookies apart from the headers, each as `name=value`. */
export function cookie(event: HttpEvent, name: string): string | undefined {
  const prefix = `${name}=`;
  return event.cookies?.find((pair) => pair.startsWith(prefix))?.slice(prefix.length);
}

/** The language of the texts in the response. */
export function languageOf(event: HttpEvent): Language {
  return negotiateLanguage(header(event, 'accept-language'));
}
