/** The types of files that the platform takes, by what they are sent as (Meta's page "Media"). */
export const mediaTypes: Readonly<Record<string, readonly string[]>> = {
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
};

/** `audio/ogg; codecs=opus` without what follows the type. */
export function bareType(mimeType: string): string {
  return (mimeType.split(';', 1)[0] ?? '').trim().toLowerCase();
}
