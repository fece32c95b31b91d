import { type JsonObject, own } from '#shared/base/json.ts';
import { sendJson } from '../console/http.ts';

/** The files that are picked on this phone. The simulated platform gets one when it is first sent. */
export function pickedFiles(message: string) {
  const files = new Map<unknown, () => Promise<unknown>>();

  return {
    /** Returns the value that stands for a file until it is sent. */
    pick(file: File): JsonObject {
      const media_id = `picked-${files.size}`;
      let sent: Promise<unknown> | undefined;
      files.set(media_id, () => {
        sent ??= upload(file, message);
        return sent;
      });
      const { name: file_name, type: mime_type, size } = file;
      return { file_name, mime_type, size, media_id };
    },

    /** The data as the simulated phone takes it: Flows have files only in lists at the top. */
    async send(data: JsonObject): Promise<JsonObject> {
      const sendItem = (item: unknown) => files.get(own(item, 'media_id'))?.() ?? item;
      const members = Object.entries(data).map(async ([name, value]) => [
        name,
        Array.isArray(value) ? await Promise.all(value.map(sendItem)) : value,
      ]);
      return Object.fromEntries(await Promise.all(members));
    },
  };
}

async function upload(file: File, message: string): Promise<unknown> {
  const { name: file_name, type: mime_type } = file;
  return sendJson('POST', `${message}/pick-file`, { file_name, mime_type, base64: await base64Of(file) });
}

function base64Of(file: File): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const reader = new FileReader();
  // A data URL has the base64 after its comma.
  reader.onload = () => resolve(String(reader.result).split(',')[1] ?? '');
  reader.onerror = () => reject(reader.error);
  reader.readAsDataURL(file);
  return promise;
}
