import { hashToken, type TokenRecord } from '#shared/accounts/token.ts';
import type { HttpEvent } from '#shared/http/request.ts';
import { GraphPathError } from './graph-path-error.ts';

const shape = /^\/v2\/graph(?:\/v\d{1,3}\.\d{1,3})?\/debug_token\/?$/;

export const asksAboutToken = ({ rawPath, requestContext }: HttpEvent) =>
  requestContext.http.method === 'GET' && shape.test(rawPath);

/**
 * What Graph says about a token, for that of the request only. The app is its user, because each app has one. What a token
 * may do depends on the role of its user in each workspace, which Graph has no scopes for.
 */
export function aboutToken({ hash, user, label, expires_at }: TokenRecord, { queryStringParameters }: HttpEvent) {
  const { input_token } = queryStringParameters ?? {};
  if (input_token === undefined || hashToken(input_token) !== hash) {
    throw new GraphPathError('(#100) The parameter input_token has to be the token of the request itself.', 400, 100);
  }
  return {
    data: {
      ...{ app_id: user, application: label, type: 'USER', user_id: user, is_valid: true },
      expires_at: Math.floor((expires_at ?? 0) / 1000),
      scopes: ['whatsapp_business_management', 'whatsapp_business_messaging'],
    },
  };
}
