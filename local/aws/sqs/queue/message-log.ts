import { rmSync } from 'node:fs';
import { openJournal } from '../../base/journal.ts';
import type { Message } from './message.ts';

type LogRecord = { sent: Message } | { received: string[]; at: number } | { deleted: string };

/** Records on disk what happens to a queue's messages. The queue writes each record before it makes the change. */
export interface MessageLog {
  sent(message: Message): void;
  received(messageIds: string[], at: number): void;
  deleted(messageId: string): void;
  purged(): void;
  close(): void;
  /** Closes it and removes the file. */
  destroy(): void;
}

const worthCompacting = 10_000;

/**
 * Opens the log and hands the messages that are in it to `restore`, oldest first.
 * `living` returns the messages that still exist. Compacting drops all others while the queue runs.
 */
export function openMessageLog(
  file: string,
  restore: (message: Message) => void,
  living: { count(): number; messages(): Iterable<Message> },
): MessageLog {
  const restored = new Map<string, Message>();
  const journal = openJournal<LogRecord>(file, (record) => replay(record, restored));
  for (const message of restored.values()) restore(message);
  if (journal.length > restored.size) journal.compact(sentRecords(restored.values()));

  const append = (record: LogRecord) => {
    if (journal.length > worthCompacting && journal.length > 4 * living.count()) {
      journal.compact(sentRecords(living.messages()));
    }
    journal.append(record);
  };
  return {
    sent: (message) => append({ sent: message }),
    received: (messageIds, at) => append({ received: messageIds, at }),
    deleted: (messageId) => append({ deleted: messageId }),
    purged: () => journal.compact([]),
    close: () => journal.close(),
    destroy() {
      journal.close();
      rmSync(file, { force: true });
    },
  };
}

function replay(record: LogRecord, messages: Map<string, Message>): void {
  if ('sent' in record) messages.set(record.sent.messageId, record.sent);
  else if ('deleted' in record) messages.delete(record.deleted);
  else {
    for (const messageId of record.received) {
      const message = messages.get(messageId);
      if (message) countReceive(message, record.at);
    }
  }
}

export function countReceive(message: Message, at: number): void {
  message.receiveCount += 1;
  message.firstReceivedAt ??= at;
}

function* sentRecords(messages: Iterable<Message>): Generator<LogRecord> {
  for (const message of messages) yield { sent: message };
}
