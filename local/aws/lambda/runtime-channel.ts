import type { Duplex } from 'node:stream';

/** What a runtime reports. It can take an event when it is ready, and after each result. */
export interface RuntimeListener {
  ready(): void;
  responded(payload: string): void;
  failed(payload: string): void;
  responseTooLarge(): void;
  /** The function failed outside of its handler, or as it loaded. Its process is about to end. */
  crashed(payload: string): void;
}

const lengthBytes = 4;
const headBytes = lengthBytes + 1;

/**
 * Reads the messages of a runtime, which are as `runtime/channel.mjs` writes them: the length of the payload, a letter
 * for the kind, and the payload.
 */
export function readRuntime(channel: Duplex, maxPayloadBytes: number, listener: RuntimeListener): void {
  function handle(message: Buffer): void {
    const kind = String.fromCharCode(message[lengthBytes] ?? 0);
    const payload = message.subarray(headBytes);
    if (kind === 'N') listener.ready();
    else if (kind === 'C') listener.crashed(payload.toString());
    else if (payload.length > maxPayloadBytes) listener.responseTooLarge();
    else if (kind === 'R') listener.responded(payload.toString());
    else listener.failed(payload.toString());
  }

  let unread: Buffer[] = [];
  let bytes = 0;
  /** With fewer bytes there is no use in another look. */
  let needed = headBytes;
  channel.on('data', (chunk: Buffer) => {
    unread.push(chunk);
    bytes += chunk.length;
    if (bytes < needed) return;
    let all = Buffer.concat(unread);
    for (needed = bytesOfFirst(all); all.length >= needed; needed = bytesOfFirst(all)) {
      handle(all.subarray(0, needed));
      all = all.subarray(needed);
    }
    unread = [all];
    bytes = all.length;
  });
  // A process that ends reports that itself.
  channel.on('error', () => undefined);
}

/** The size of the first message, or of its head if that is not complete. */
function bytesOfFirst(messages: Buffer): number {
  return messages.length < headBytes ? headBytes : headBytes + messages.readUInt32BE(0);
}

/** Sends an event (JSON) to a runtime that is ready for it. The deadline is in milliseconds since 1970. */
export function sendEvent(channel: Duplex, requestId: string, deadline: number, event: string): void {
  const text = `["${requestId}",${deadline},${event}]`;
  const bytes = Buffer.byteLength(text);
  const message = Buffer.allocUnsafe(lengthBytes + bytes);
  message.writeUInt32BE(bytes);
  message.write(text, lengthBytes);
  channel.write(message);
}
