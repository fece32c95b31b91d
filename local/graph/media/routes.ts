import { parseRange } from '#local/aws/base/http/byte-range.ts';
import { findNumber } from '../core/accounts.ts';
import type { Platform } from '../core/platform.ts';
import { brokenOff, slice } from '../http/byte-source.ts';
import { GraphError } from '../http/graph-errors.ts';
import type { GraphRequest, GraphRoute } from '../http/graph-route.ts';
import { BytesResponse } from '../http/http.ts';
import { assertProduct, fileParam, stringParam, type UploadedFile } from '../http/params.ts';
import { kindOfType, maxBytes, mediaTypes } from './kinds.ts';
import { bytesOf, type Media, mediaNode, newMediaId, storedFile } from './media.ts';
import type { MediaStore } from './store.ts';

/** The path of download URLs, as on the upstream's download host. */
const downloads = { id: 'whatsapp_business', edge: 'attachments' } as const;

/** A new URL from which the file can be downloaded, with the access token, for five minutes. */
export function downloadUrl(store: MediaStore, media: Media, origin: string): string {
  const address = new URL(`/${downloads.id}/${downloads.edge}/`, origin);
  address.search = new URLSearchParams({ mid: media.id, hash: store.issueUrl(media) }).toString();
  return address.href;
}

/** Graph's operations on media (Meta's page "Media"), and the download, which also needs the access token. */
export function mediaRoutes({ accounts, now }: Platform, store: MediaStore): GraphRoute[] {
  const isMedia = ({ id, url }: GraphRequest) => store.has(id) || url.searchParams.has('phone_number_id');
  return [
    { operation: 'upload_media', method: 'POST', edge: 'media', handle: upload },
    { operation: 'get_media', method: 'GET', takes: isMedia, handle: getMedia },
    { operation: 'delete_media', method: 'DELETE', takes: isMedia, handle: deleteMedia },
    {
      operation: 'download_media',
      method: 'GET',
      edge: downloads.edge,
      takes: ({ id }) => id === downloads.id,
      handle: download,
    },
  ];

  function upload({ id: phone_number_id, params }: GraphRequest) {
    if (findNumber(accounts, phone_number_id) === undefined) throw new GraphError('object_missing');
    assertProduct(params);
    const file = fileParam(params, 'file');
    const mime_type = stringParam(params, 'type') ?? file.type;
    assertWithinLimits(mime_type, file);
    const id = newMediaId();
    const { buffer, byteOffset, byteLength } = file.bytes;
    const bytes = Buffer.from(buffer, byteOffset, byteLength);
    const content = store.keep(id, bytes);
    store.put(storedFile({ id, phone_number_id, mime_type, bytes, content, uploaded: true, now: now() }));
    return { id };
  }

  function getMedia({ id, url }: GraphRequest) {
    const media = store.find(id, url.searchParams.get('phone_number_id'));
    store.countLookup(media);
    return mediaNode(media, downloadUrl(store, media, url.origin));
  }

  function deleteMedia({ id, url }: GraphRequest) {
    store.delete(store.find(id, url.searchParams.get('phone_number_id')));
    return { success: true };
  }

  function download({ url, range }: GraphRequest): BytesResponse {
    const hash = url.searchParams.get('hash') ?? '';
    const media = store.atUrl(hash);
    const location = redirection(media, url);
    if (location !== undefined) return new BytesResponse(302, { location });
    store.useUrl(hash);
    return content(media, range);
  }

  function content(media: Media, rangeHeader: string | undefined): BytesResponse {
    const whole = bytesOf(media);
    const source = media.truncated ? brokenOff(whole) : whole;
    const headers = { 'content-type': media.mime_type, 'accept-ranges': 'bytes' };
    const range = parseRange(rangeHeader, whole.size);
    if (range === 'unsatisfiable') {
      return new BytesResponse(416, { ...headers, 'content-range': `bytes */${whole.size}` });
    }
    store.countDownload(media);
    if (range === undefined) return new BytesResponse(200, headers, source);
    const { start, end } = range;
    const contentRange = `bytes ${start}-${end}/${whole.size}`;
    return new BytesResponse(206, { ...headers, 'content-range': contentRange }, slice(source, start, end + 1));
  }
}

function redirection({ redirect_to }: Media, url: URL): string | undefined {
  if (redirect_to === null || url.searchParams.has('redirected')) return undefined;
  if (redirect_to !== 'self') return redirect_to;
  const location = new URL(url);
  location.searchParams.set('redirected', '1');
  return location.href;
}

function assertWithinLimits(type: string, { bytes }: UploadedFile): void {
  const kind = kindOfType(type);
  if (kind === undefined) {
    const types = `must be a file with one of the following types: ${Object.values(mediaTypes).flat().join(', ')}`;
    throw new GraphError('invalid_parameter', `Param file ${types}. Received file of type '${type}'.`);
  }
  const max = maxBytes[kind];
  if (bytes.length === 0) throw new GraphError('invalid_parameter', 'The parameter file is empty');
  if (bytes.length > max) throw new GraphError('media_not_uploaded', `A file of this type has at most ${max} bytes`);
}
