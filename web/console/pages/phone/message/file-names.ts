export type FileKind = 'image' | 'sticker' | 'video' | 'audio' | 'document';

/** What people call a file of each kind. */
export const fileNames: Readonly<Record<FileKind, string>> = {
  image: 'Photo',
  sticker: 'Sticker',
  video: 'Video',
  audio: 'Audio',
  document: 'Document',
};
