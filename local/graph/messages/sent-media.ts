import { isObject } from '#shared/base/json/json-object.ts';
import { GraphError } from '../core/graph-errors.ts';
import { kindOfType, type MediaKind, maxBytes } from '../media/kinds.ts';
import { bytesOf, type Media } from '../media/media.ts';
import type { MediaStore } from '../media/store.ts';
import type { MessageContent } from './bodies/params.ts';

/** A place in a message that names a file by its id. */
interface MediaReference {
  readonly kind: MediaKind;
  readonly id: string;
  /** Such as `template['components'][0]['parameters'][0]['image']['id']`. */
  readonly param: string;
}

/** A file that a message sends, and as what. */
export interface SentMedia {
  readonly kind: MediaKind;
  readonly media: Media;
}

/**
 * The files that a message names by their ids: those of uploads, and of files that contacts sent to the number. Throws
 * if the number has no such file.
 */
export function sentMedia(store: MediaStore, phoneNumberId: string, { type, content }: MessageContent): SentMedia[] {
  return referencesIn(type, content, type).map(({ kind, id, param }) => {
    const media = store.usable(id, phoneNumberId);
    if (media !== undefined) return { kind, media };
    throw new GraphError(
      'invalid_parameter',
      `Param ${param} is not a valid whatsapp business account media attachment ID`,
    );
  });
}

/**
 * Whether the platform can send the file as media of this kind. It finds out after it has accepted the message. (Older
 * pages of Meta let every file be a document.)
 */
export function isSendable({ kind, media }: SentMedia): boolean {
  const isOfKind = kind === 'document' || kindOfType(media.mime_type) === kind;
  return isOfKind && bytesOf(media).size <= maxBytes[kind];
}

/** What a Flow gets is its own business. */
const skipped = ['flow_action_payload', 'flow_action_data'];

function referencesIn(name: string, value: unknown, param: string): MediaReference[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => referencesIn('', item, `${param}[${index}]`));
  if (!isObject(value)) return [];
  const { id } = value;
  if (isKind(name) && typeof id === 'string') return [{ kind: name, id, param: `${param}['id']` }];
  return Object.entries(value)
    .filter(([member]) => !skipped.includes(member))
    .flatMap(([member, inner]) => referencesIn(member, inner, `${param}['${member}']`));
}

const isKind = (name: string): name is MediaKind => Object.hasOwn(maxBytes, name);
