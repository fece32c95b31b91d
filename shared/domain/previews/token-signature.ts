import { createHmac } from 'node:crypto';

/**
 * The `flow_token_signature` of data API 4.0: a JWT (RFC 7519) under HS256 with the app secret. Meta does not publish
 * the claims of its own; this one claims the token.
 */
export function signToken(flowToken: string, appSecret: string): string {
  const content = [{ alg: 'HS256', typ: 'JWT' }, { flow_token: flowToken }].map(encode).join('.');
  return `${content}.${createHmac('sha256', appSecret).update(content).digest('base64url')}`;
}

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
