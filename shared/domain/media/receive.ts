import { UpstreamError } from '#shared/domain/errors/upstream-error.ts';
import type { MediaContext, WantedMedia } from './context.ts';
import { checked, type Measured } from './integrity.ts';
import { MediaError } from './media-error.ts';
import type { UpstreamFile } from './upstream-media.ts';

type Context = Pick<MediaContext, 'upstream' | 'download' | 'deadline' | 'now'>;

/** What the upstream says of the file. Throws `MediaError` when it has none. */
export async function describe(wanted: WantedMedia, { upstream }: Pick<Context, 'upstream'>): Promise<UpstreamFile> {
  const file = await upstream.describe(wanted.media, wanted.phoneNumberId);
  if (typeof file === 'string') throw new MediaError(file);
  return file;
}

/**
 * Gives the file's bytes, checked as they come, to `use`. It does so again where that may help: once with a new
 * address, for an address lives five minutes, and once more after a download that broke off; each if there is as much
 * time left as the try has taken.
 */
export async function receive<T>(
  wanted: WantedMedia,
  file: UpstreamFile,
  use: (bytes: AsyncIterable<Uint8Array>) => Promise<T>,
  context: Context,
): Promise<{ used: T; measured: Measured }> {
  const { deadline, now } = context;
  const tried = new Set<Remedy>();
  let current = file;
  for (;;) {
    const begin = now();
    try {
      return await receiveOnce(current, use, context);
    } catch (error) {
      const remedy = remedyFor(error);
      const spent = now() - begin;
      if (remedy === undefined || tried.has(remedy) || deadline - now() < spent) throw error;
      tried.add(remedy);
      if (remedy === 'new-address') current = await describe(wanted, context);
    }
  }
}

async function receiveOnce<T>(
  file: UpstreamFile,
  use: (bytes: AsyncIterable<Uint8Array>) => Promise<T>,
  { download }: Context,
): Promise<{ used: T; measured: Measured }> {
  const bytes = await download(file.url);
  if (!bytes) throw new MediaError('expired');
  let measured: Measured | undefined;
  const used = await use(
    checked(bytes, file, (result) => {
      measured = result;
    }),
  );
  if (!measured) throw new Error('A file was not read to its end');
  return { used, measured };
}

type Remedy = 'new-address' | 'again';

/** The upstream answers an address that is over with 404; a token that is good for Graph may meet 401 or 403 there. */
function remedyFor(error: unknown): Remedy | undefined {
  const fault = error instanceof MediaError ? error.fault : error instanceof UpstreamError ? error.failure : undefined;
  if (fault === 'expired' || fault === 'credentials') return 'new-address';
  const isBrokenOff = fault === 'incomplete' || fault === 'no-answer';
  return isBrokenOff || fault === 'unavailable' || fault === 'unreachable' ? 'again' : undefined;
}
