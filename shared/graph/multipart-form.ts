import { randomBytes } from 'node:crypto';

/** A file for the upstream. */
export interface FileToUpload {
  type: string;
  /** Bytes. */
  size: number;
  /** Begins to read the bytes. A call that is repeated begins again. */
  open: () => AsyncIterable<Uint8Array>;
}

/** A form that is sent while its file is being read. `FormData` would need the whole file in memory. */
export interface MultipartForm {
  contentType: string;
  /** Bytes of the whole body. */
  size: number;
  /** Begins to read the body, and calls `onLast` before the part without which the form is incomplete. */
  open: (onLast: () => void) => AsyncGenerator<Uint8Array, void, void>;
}

/** Builds a form (RFC 7578) of text fields and a file. All of it but the file's bytes is ours, so nothing is escaped. */
export function multipartForm(
  fields: Readonly<Record<string, string>>,
  file: FileToUpload,
  fileName: string,
): MultipartForm {
  const boundary = `form-${randomBytes(16).toString('hex')}`;
  const texts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const fileHead = [
    `--${boundary}`,
    `Content-Disposition: form-data; name="file"; filename="${fileName}"`,
    `Content-Type: ${file.type}`,
    '\r\n',
  ].join('\r\n');
  const head = Buffer.from(texts.join('') + fileHead);
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    size: head.length + file.size + tail.length,
    async *open(onLast) {
      yield head;
      yield* file.open();
      onLast();
      yield tail;
    },
  };
}
