import * as z from 'zod/mini';
import { type MessageAttribute, md5OfAttributes, type ReceivedMessage } from './queue/message.ts';
import type { NewMessage } from './queue/queue.ts';
import { invalidParameter, invalidParameterValue } from './sqs-errors.ts';

/** Strict: SQS has no lists of values, although its API has names for them. */
const attributeSchema = z.strictObject({
  DataType: z.string(),
  StringValue: z.optional(z.string()),
  BinaryValue: z.optional(z.string()),
});

/** The members of a SendMessage request that say what is sent. */
export const messageMembers = {
  MessageBody: z.string(),
  DelaySeconds: z.optional(z.int()),
  MessageAttributes: z.optional(z.record(z.string(), attributeSchema)),
  MessageSystemAttributes: z.optional(z.record(z.string(), attributeSchema)),
  MessageGroupId: z.optional(z.string()),
  MessageDeduplicationId: z.optional(z.string()),
};

const messageSchema = z.object(messageMembers);

/** Throws `AwsError` `InvalidParameterValue` for what only FIFO queues take, and for invalid system attributes. */
export function readMessage(input: z.infer<typeof messageSchema>, senderId: string): NewMessage {
  if (input.MessageDeduplicationId !== undefined) {
    const reason = 'The request include parameter that is not valid for this queue type.';
    throw invalidParameter(input.MessageDeduplicationId, 'MessageDeduplicationId', reason);
  }
  checkSystemAttributes(input.MessageSystemAttributes ?? {});
  const attributes = Object.entries(input.MessageAttributes ?? {});
  return {
    body: input.MessageBody,
    messageAttributes: Object.fromEntries(attributes.map(([name, attribute]) => [name, readAttribute(attribute)])),
    delaySeconds: input.DelaySeconds,
    groupId: input.MessageGroupId,
    senderId,
    traceHeader: input.MessageSystemAttributes?.AWSTraceHeader?.StringValue,
  };
}

const traceHeaderPattern = /^Root=1-[\da-f]{8}-[\da-f]{24}(;\w+=[^;]+)*$/;

function checkSystemAttributes(attributes: Record<string, z.infer<typeof attributeSchema>>): void {
  for (const [name, { DataType, StringValue = '' }] of Object.entries(attributes)) {
    const fault =
      name !== 'AWSTraceHeader'
        ? 'it is unknown'
        : DataType !== 'String'
          ? 'its type is not String'
          : traceHeaderPattern.test(StringValue)
            ? undefined
            : 'it is not an X-Ray trace header';
    if (fault) throw invalidParameterValue(`The message system attribute '${name}' is invalid: ${fault}.`);
  }
}

function readAttribute({ DataType, StringValue, BinaryValue }: z.infer<typeof attributeSchema>): MessageAttribute {
  return {
    dataType: DataType,
    ...(StringValue !== undefined && { stringValue: StringValue }),
    ...(BinaryValue !== undefined && { binaryValue: BinaryValue }),
  };
}

/** A message in a ReceiveMessage response, with the attributes that have these names. */
export function writeMessage(message: ReceivedMessage, systemNames: string[], attributeNames: string[]) {
  const system = pick(message.attributes, systemNames);
  const custom = pickMatching(message.messageAttributes, attributeNames);
  const hasCustom = Object.keys(custom).length > 0;
  return {
    MessageId: message.messageId,
    ReceiptHandle: message.receiptHandle,
    MD5OfBody: message.md5OfBody,
    Body: message.body,
    ...(Object.keys(system).length > 0 && { Attributes: system }),
    ...(hasCustom && { MessageAttributes: writeAttributes(custom), MD5OfMessageAttributes: md5OfAttributes(custom) }),
  };
}

function writeAttributes(attributes: Record<string, MessageAttribute>) {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, { dataType, stringValue, binaryValue }]) => [
      name,
      { DataType: dataType, StringValue: stringValue, BinaryValue: binaryValue },
    ]),
  );
}

/** `All` and `.*` mean every attribute, `prefix.*` those that begin with `prefix`. */
function pickMatching(attributes: Record<string, MessageAttribute>, wanted: string[]) {
  const isWanted = (name: string) =>
    wanted.some((pattern) => {
      if (pattern === 'All') return true;
      return pattern.endsWith('.*') ? name.startsWith(pattern.slice(0, -2)) : name === pattern;
    });
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => isWanted(name)));
}

/** The attributes with these names. `All` means every one. */
export function pick(attributes: Record<string, string>, wanted: string[]): Record<string, string> {
  if (wanted.includes('All')) return attributes;
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => wanted.includes(name)));
}
