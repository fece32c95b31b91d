import * as z from 'zod/mini';
import { type BusinessAccount, numbersOf } from '../core/accounts.ts';
import { sha256Of } from '../http/byte-source.ts';
import { ControlError, type ControlRoute, readJson } from '../http/control-route.ts';
import { BytesResponse, jsonResponse } from '../http/http.ts';
import { bytesOf, type Media, newMediaId } from './media.ts';
import type { MediaStore } from './store.ts';

const largestBytes = 1024 ** 3;

const flag = z._default(z.boolean(), false);

const mediaSchema = z
  .strictObject({
    id: z.optional(z.string().check(z.regex(/^[\w.-]{1,128}$/))),
    /** Defaults to the first number. */
    phone_number_id: z.optional(z.string()),
    // Also sent as a header.
    mime_type: z._default(z.string().check(z.regex(/^[ -~]*$/, 'is one line of ASCII')), 'image/jpeg'),
    /** The bytes themselves, in base64. */
    base64: z.optional(z.base64()),
    /** Or how many bytes to generate. The same seed and size give the same bytes. */
    size: z.optional(z.int().check(z.gte(0), z.lte(largestBytes))),
    seed: z._default(z.string(), ''),
    expired: flag,
    url_expires_after: z._default(
      z.strictObject({
        seconds: z.optional(z.number().check(z.gte(0))),
        uses: z.optional(z.int().check(z.gte(0))),
      }),
      {},
    ),
    wrong_sha256: flag,
    wrong_size: flag,
    truncated: flag,
    redirect_to: z._default(z.nullable(z.union([z.literal('self'), z.url()])), null),
    sha256_as: z._default(z.enum(['hex', 'base64', 'absent']), 'hex'),
    file_size_as: z._default(z.enum(['number', 'string', 'absent']), 'string'),
  })
  .check(z.refine(({ base64, size }) => base64 === undefined || size === undefined, 'Give either base64 or size'));

const defaultSize = 1024;

/** Adds files as if users had sent them, and reports how often they were fetched. */
export function mediaControl(
  accounts: readonly BusinessAccount[],
  store: MediaStore,
  now: () => number,
): ControlRoute[] {
  return [
    { method: 'GET', path: '/media', handle: () => jsonResponse(200, { data: store.all().map(view) }) },
    { method: 'POST', path: '/media', handle: async ({ body }) => jsonResponse(200, view(await put(body))) },
    { method: 'GET', path: '/media/{id}', handle: ({ params: { id = '' } }) => jsonResponse(200, view(store.get(id))) },
    {
      method: 'GET',
      path: '/media/{id}/content',
      handle({ params: { id = '' } }) {
        const media = store.get(id);
        return new BytesResponse(200, { 'content-type': media.mime_type }, bytesOf(media));
      },
    },
  ];

  async function put(body: Uint8Array): Promise<Media> {
    const { base64, size = defaultSize, seed, ...request } = readJson(mediaSchema, body);
    const content = base64 === undefined ? { size, seed } : { base64 };
    const media = {
      ...request,
      id: request.id ?? newMediaId(),
      phone_number_id: request.phone_number_id ?? firstNumber(),
      sha256: (await sha256Of(bytesOf({ content }))).toString('hex'),
      content,
      stored_at: now(),
    };
    store.put(media);
    return media;
  }

  function firstNumber(): string {
    const [first] = numbersOf(accounts);
    if (first === undefined) throw new ControlError(409, 'No account has a phone number');
    return first.phoneNumberId;
  }

  /** Everything except the bytes. */
  function view(media: Media) {
    const { content: _, ...members } = media;
    const sha256_base64 = Buffer.from(media.sha256, 'hex').toString('base64');
    return { ...members, sha256_base64, size: bytesOf(media).size, ...store.useOf(media) };
  }
}
