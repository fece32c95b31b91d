/** The types of files that the platform takes, by what they are sent as (Meta's page "Media"). */
export const mediaTypes = {
  audio: ['audio/aac', 'audio/amr', 'audio/mpeg', 'audio/mp4', 'audio/ogg'],
  document: [
    'application/msword',
    'application/pdf',
    'application/vnd.ms-excel',
    'application/vnd.ms-powerpoint',
    'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'text/plain',
  ],
  image: ['image/jpeg', 'image/png'],
  sticker: ['image/webp'],
  video: ['video/3gpp', 'video/mp4'],
} as const satisfies Record<string, readonly string[]>;

type MediaKind = keyof typeof mediaTypes;

/** What a file of this type is sent as. */
export function kindOfType(mimeType: string): MediaKind | undefined {
  const kinds = Object.entries(mediaTypes) as [MediaKind, readonly string[]][];
  return kinds.find(([, types]) => types.includes(bareType(mimeType)))?.[0];
}

const megabyte = 2 ** 20;

/** The maximum size of a file in bytes, by what it is sent as (the same page). */
export const maxBytes = {
  audio: 16 * megabyte,
  document: 100 * megabyte,
  image: 5 * megabyte,
  sticker: 500 * 2 ** 10,
  video: 16 * megabyte,
} as const;

/** `audio/ogg; codecs=opus` without what follows the type. */
function bareType(mimeType: string): string {
  return (mimeType.split(';', 1)[0] ?? '').trim().toLowerCase();
}
