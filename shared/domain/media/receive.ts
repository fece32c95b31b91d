import { UpstreamError, type UpstreamFailure } from '#shared/domain/errors/upstream-error.ts';
import type { MediaContext, WantedMedia } from './context.ts';
import { checked, type Measured } from './integrity.ts';
import { MediaError, type MediaFault } from './media-error.ts';
import type { UpstreamFile } from './upstream-media.ts';

type Context = Pick<MediaContext, 'upstream' | 'download' | 'deadline' | 'now'>;

/** Reads the upstream's description of the file. Throws `MediaError` when the upstream does not have the file. */
export async function describe(wanted: WantedMedia, { upstream }: Pick<Context, 'upstream'>): Promise<UpstreamFile> {
  const file = await upstream.describe(wanted.media, wanted.phoneNumberId);
  if (typeof file === 'string') throw new MediaError(file);
  return file;
}

/**
 * Passes the file's bytes to `use` and checks them on the way. Retries at most once for each remedy: with a new
 * address, because an address lives for five minutes, and again after an interruption. Each retry needs as much time
 * left as the failed attempt took.
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

/** The upstream responds to an expired address with 404. A token that is valid for Graph may get 401 or 403 there. */
function remedyFor(error: unknown): Remedy | undefined {
  const fault = error instanceof MediaError ? error.fault : error instanceof UpstreamError ? error.failure : undefined;
  if (fault === 'expired' || fault === 'credentials') return 'new-address';
  return fault !== undefined && passing.has(fault) ? 'again' : undefined;
}

const passing: ReadonlySet<MediaFault | UpstreamFailure> = new Set<MediaFault | UpstreamFailure>([
  'incomplete',
  'timeout',
  'broken-response',
  'unavailable',
  'unreachable',
]);
