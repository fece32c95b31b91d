import * as z from 'zod/mini';
import { numbersOf } from '../core/accounts.ts';
import type { Platform } from '../core/platform.ts';
import { sha256Of } from '../http/byte-source.ts';
import { ControlError, type ControlRoute, get, on } from '../http/control-route.ts';
import { BytesResponse } from '../http/http.ts';
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
export function mediaControl({ accounts, now }: Platform, store: MediaStore): ControlRoute[] {
  return [
    get('/media', () => ({ data: store.all().map(view) })),
    on('POST', '/media', mediaSchema, async ({ base64, size = defaultSize, seed, ...request }) => {
      const content = base64 === undefined ? { size, seed } : { base64 };
      const phone_number_id = request.phone_number_id ?? numbersOf(accounts)[0]?.phoneNumberId;
      if (phone_number_id === undefined) throw new ControlError(409, 'No account has a phone number');
      const media = {
        ...request,
        id: request.id ?? newMediaId(),
        phone_number_id,
        sha256: (await sha256Of(bytesOf({ content }))).toString('hex'),
        content,
        stored_at: now(),
      };
      store.put(media);
      return view(media);
    }),
    get('/media/{id}', ({ id }) => view(store.get(id))),
    get('/media/{id}/content', ({ id }) => {
      const media = store.get(id);
      return new BytesResponse(200, { 'content-type': media.mime_type }, bytesOf(media));
    }),
  ];

  /** Everything except the bytes. */
  function view(media: Media) {
    const { content: _, ...members } = media;
    const sha256_base64 = Buffer.from(media.sha256, 'hex').toString('base64');
    return { ...members, sha256_base64, size: bytesOf(media).size, ...store.useOf(media) };
  }
}
