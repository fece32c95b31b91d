import type { JsonObject } from '#shared/base/json.ts';
import { type HttpEvent, header, readJsonBody } from '#shared/http/request.ts';
import { rejectEncoded } from '#shared/operations/middleware.ts';

/** Members that change what Graph does with a whole request, or that say who makes it. They are no part of a body. */
const dropped: ReadonlySet<string> = new Set(
  'access_token appsecret_proof batch debug fields ids include_headers method relative_url'.split(' '),
);

/** Reads the JSON of a body. As at Graph, a member that is `null` is absent. */
export function readBody(event: HttpEvent, { exactNumbers = false } = {}): JsonObject {
  rejectEncoded(event);
  const { body, isBase64Encoded } = event;
  const members = readJsonBody({ contentType: header(event, 'content-type'), body, isBase64Encoded, exactNumbers });
  return Object.fromEntries(Object.entries(members).filter(([name, value]) => !dropped.has(name) && value !== null));
}
