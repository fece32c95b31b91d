import { listOf, members, textOf } from './read-content.ts';

export type FileKind = 'image' | 'sticker' | 'video' | 'audio' | 'document';

/** What people call a file of each kind. */
export const fileNames: Readonly<Record<FileKind, string>> = {
  image: 'Photo',
  sticker: 'Sticker',
  video: 'Video',
  audio: 'Audio',
  document: 'Document',
};

const names: Readonly<Record<string, string>> = {
  ...fileNames,
  location: 'Location',
  contacts: 'Contact',
  order: 'Order',
  interactive: 'Message',
  pin: 'Pinned message',
  unsupported: 'Unsupported message',
};

/** A message in a line: its words, or else what it is. */
export function summaryOf(type: string, content: unknown): string {
  const words = wordsOf(type, content);
  return words === '' ? (names[type] ?? type) : words;
}

function wordsOf(type: string, content: unknown): string {
  const { body, caption, name, text, filename, address, type: inner } = members(content);
  if (type === 'text') return textOf(body);
  if (type === 'button') return textOf(text);
  if (type === 'template') return `Template ${textOf(name)}`;
  if (type === 'contacts') return textOf(members(listOf(content)[0]?.name).formatted_name);
  if (type === 'location') return textOf(name) || textOf(address);
  if (type !== 'interactive') return textOf(caption) || textOf(filename);
  const reply = members(members(content)[textOf(inner)]);
  if (inner === 'call_permission_reply') return reply.response === 'accept' ? 'Calls allowed' : 'Calls not allowed';
  return textOf(members(body).text) || textOf(reply.title) || textOf(reply.body);
}
