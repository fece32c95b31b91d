import { ControlError } from '../http/control-route.ts';
import type { MediaStore } from '../media/store.ts';
import type { EventRequest } from './events.ts';
import { media, messageSamples } from './samples.ts';

const mediaTypes = ['image', 'document', 'video', 'audio', 'voice', 'sticker'] as const;

/** Adds the facts about the file in `media_id` to the event. The event goes to the number of that file. */
export function withMedia(event: EventRequest, store: MediaStore): EventRequest {
  const { media_id, ...request } = event;
  if (media_id === undefined) return event;
  const type = mediaTypes.find((one) => one === event.type);
  if (type === undefined) throw new ControlError(400, `media_id is for ${mediaTypes.join(', ')}, not ${event.type}`);
  const { id, mime_type, sha256, phone_number_id } = store.get(media_id);
  const sample: Readonly<Record<string, unknown>> = messageSamples[type];
  const member = String(sample.type);
  const file = media(id, mime_type, Buffer.from(sha256, 'hex').toString('base64'));
  return { phone_number_id, ...request, [member]: { ...Object(sample[member]), ...Object(request[member]), ...file } };
}
