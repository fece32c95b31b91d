import type { APIGatewayRequestAuthorizerEventV2, APIGatewaySimpleAuthorizerWithContextResult } from 'aws-lambda';
import type { Clock } from '#shared/base/time/clock.ts';
import { hashToken, isExpired, isWellFormed } from '#shared/domain/accounts/token.ts';
import type { TokenStore } from '#shared/domain/accounts/token-store.ts';
import type { AuthorizerContext } from '#shared/http/wrapper/authorize.ts';
import { tokens } from '#shared/runtime/providers/accounts.ts';
import { run } from '#shared/runtime/serve.ts';
import { definition } from './definition.ts';

interface Dependencies {
  tokens: Pick<TokenStore, 'get'>;
  now: Clock;
}

/**
 * Names the token's user and lets every request through. If the authorizer rejected a request, the gateway would return
 * 403 with a body of its own; instead, the operations return 401 to requests without a user.
 */
export const makeHandler =
  ({ tokens, now }: Dependencies) =>
  async (
    event: APIGatewayRequestAuthorizerEventV2,
  ): Promise<APIGatewaySimpleAuthorizerWithContextResult<AuthorizerContext>> => {
    const bearer = event.identitySource?.[0]?.match(/^Bearer +(\S+)$/i)?.[1];
    if (bearer === undefined || !isWellFormed(bearer)) return { isAuthorized: true, context: {} };
    const token = await tokens.get(hashToken(bearer));
    if (!token || isExpired(token, now())) return { isAuthorized: true, context: {} };
    return { isAuthorized: true, context: { user: token.user, token: token.hash } };
  };

export const handler = run(definition, makeHandler, { tokens });
