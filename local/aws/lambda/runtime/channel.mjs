// The pipe to the local Lambda service. Reading blocks the process until the next event, as Lambda freezes it.
import { readSync, writeSync } from 'node:fs';

const channel = 3;
const lengthBytes = 4;

let buffer = Buffer.allocUnsafe(64 * 1024);

/** Waits for the next event: its JSON is `[requestId, deadline, event]`. Without a parent, this process ends. */
export function readEvent() {
  let bytes = 0;
  for (let end = lengthBytes; bytes < end; ) {
    if (buffer.length < end) buffer = Buffer.concat([buffer], end);
    const read = readSync(channel, buffer, bytes, buffer.length - bytes, null);
    if (read === 0) process.exit();
    bytes += read;
    if (bytes >= lengthBytes) end = lengthBytes + buffer.readUInt32BE(0);
  }
  return buffer.toString('utf8', lengthBytes, bytes);
}

/**
 * Reports to the service: `N` that this process is ready for its first event, `R` a result, `E` an error after which
 * it is ready for the next event, or `C` an error that ends it.
 */
export function report(kind, payload = '') {
  const length = Buffer.byteLength(payload);
  const message = Buffer.allocUnsafe(lengthBytes + 1 + length);
  message.writeUInt32BE(length);
  message.write(kind, lengthBytes);
  message.write(payload, lengthBytes + 1);
  for (let written = 0; written < message.length; ) written += writeSync(channel, message, written);
}
