import { AwsError } from '../base/aws-error.ts';
import { largestMessageBytes, longestDelaySeconds, maxInBatch } from './limits.ts';
import { type MessageAttribute, sizeOf } from './queue/message.ts';
import type { NewMessage } from './queue/queue.ts';
import type { QueueSettings } from './queue-attributes.ts';
import { invalidParameter, invalidParameterValue } from './sqs-errors.ts';

const maxAttributes = 10;

// SQS allows the characters that XML 1.0 allows.
const forbiddenCharacter = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;
const groupIdPattern = /^[\w!"#$%&'()*+,\-./:;<=>?@[\\\]^`{|}~]{1,128}$/;
const attributeNamePattern = /^(?!aws\.|amazon\.|\.)(?!.*\.\.)[\w.-]{1,256}(?<!\.)$/i;
const attributeTypePattern = /^(?=.{1,256}$)(String|Number|Binary)(\.[\w.-]+)?$/;
const numberPattern = /^[+-]?(?=\.?\d)(?<whole>\d*)\.?(?<fraction>\d*)(?:e[+-]?\d{1,3})?$/i;
const maxDigits = 38;
const leastNumber = 1e-128;
const largestNumber = 1e126;
const batchEntryIdPattern = /^[\w-]{1,80}$/;

/** Throws `AwsError` `InvalidMessageContents`, `MissingParameter` or `InvalidParameterValue` for what SQS rejects. */
export function checkMessage(message: NewMessage, settings: QueueSettings): void {
  const attributes = message.messageAttributes ?? {};
  if (message.body === '') {
    throw new AwsError('MissingParameter', 'The request must contain the parameter MessageBody.');
  }
  checkDelay(message.delaySeconds);
  checkGroupId(message.groupId);
  checkAttributes(attributes);
  checkCharacters(message.body);
  if (sizeOf(message.body, attributes) > settings.maximumMessageSize) {
    const limit = settings.maximumMessageSize;
    throw invalidParameterValue(
      `One or more parameters are invalid. Reason: Message must be shorter than ${limit} bytes.`,
    );
  }
}

function checkDelay(seconds: number | undefined): void {
  if (seconds === undefined || (seconds >= 0 && seconds <= longestDelaySeconds)) return;
  throw invalidParameter(seconds, 'DelaySeconds', `DelaySeconds must be >= 0 and <= ${longestDelaySeconds}.`);
}

function checkGroupId(groupId: string | undefined): void {
  if (groupId === undefined || groupIdPattern.test(groupId)) return;
  const reason = 'MessageGroupId can only include alphanumeric and punctuation characters. 1 to 128 in length.';
  throw invalidParameter(groupId, 'MessageGroupId', reason);
}

function checkCharacters(text: string): void {
  if (!forbiddenCharacter.test(text)) return;
  throw new AwsError(
    'InvalidMessageContents',
    'Invalid characters found. Valid unicode characters are #x9 | #xA | #xD | #x20 to #xD7FF | #xE000 to #xFFFD | #x10000 to #x10FFFF.',
  );
}

function checkAttributes(attributes: Record<string, MessageAttribute>): void {
  const entries = Object.entries(attributes);
  if (entries.length > maxAttributes) {
    throw invalidParameterValue(
      `Number of message attributes [${entries.length}] exceeds the allowed maximum [${maxAttributes}].`,
    );
  }
  for (const [name, attribute] of entries) checkAttribute(name, attribute);
}

function checkAttribute(name: string, { dataType, stringValue, binaryValue }: MessageAttribute): void {
  if (!attributeNamePattern.test(name)) throw invalidParameterValue(`The message attribute name '${name}' is invalid.`);
  if (!attributeTypePattern.test(dataType)) {
    throw invalidParameterValue(`The type of message (user) attribute '${name}' is invalid: '${dataType}'.`);
  }
  const [value, other] = dataType.startsWith('Binary') ? [binaryValue, stringValue] : [stringValue, binaryValue];
  if (!value || other !== undefined) {
    throw invalidParameterValue(`The message (user) attribute '${name}' must contain a non-empty value of its type.`);
  }
  if (dataType.startsWith('Number') && !isNumber(value)) {
    throw invalidParameterValue(`Can't cast the value of message (user) attribute '${name}' to a number.`);
  }
  checkCharacters(stringValue ?? '');
}

/** Zeros at both ends do not count: SQS removes them. */
function isNumber(text: string): boolean {
  const { whole, fraction } = numberPattern.exec(text)?.groups ?? {};
  if (whole === undefined || fraction === undefined) return false;
  const digits = `${whole}${fraction}`.replace(/^0+|0+$/g, '');
  const size = Math.abs(Number(text));
  return digits.length <= maxDigits && (size === 0 || (size >= leastNumber && size <= largestNumber));
}

/** Throws `AwsError` `InvalidAttributeName` unless each name is known or `All`. */
export function checkNames(names: readonly string[], allowed: ReadonlySet<string>): void {
  const unknown = names.find((name) => name !== 'All' && !allowed.has(name));
  if (unknown !== undefined) throw new AwsError('InvalidAttributeName', `Unknown Attribute ${unknown}.`);
}

/** Throws the `AwsError` that fails a batch as a whole. */
export function checkBatch(entries: { Id: string }[]): void {
  if (entries.length === 0) {
    throw new AwsError('EmptyBatchRequest', 'There should be at least one entry in the request.');
  }
  if (entries.length > maxInBatch) {
    throw new AwsError(
      'TooManyEntriesInBatchRequest',
      `Maximum number of entries per request are ${maxInBatch}. You have sent ${entries.length}.`,
    );
  }
  if (!entries.every(({ Id }) => batchEntryIdPattern.test(Id))) {
    throw new AwsError(
      'InvalidBatchEntryId',
      'A batch entry id can only contain alphanumeric characters, hyphens and underscores. It can be at most 80 letters long.',
    );
  }
  const ids = entries.map(({ Id }) => Id);
  const repeated = ids.find((id, index) => ids.indexOf(id) !== index);
  if (repeated !== undefined) throw new AwsError('BatchEntryIdsNotDistinct', `Id ${repeated} repeated.`);
}

/** Throws `AwsError` `BatchRequestTooLong`. */
export function checkBatchSize(messages: NewMessage[]): void {
  const bytes = messages.reduce((sum, { body, messageAttributes = {} }) => sum + sizeOf(body, messageAttributes), 0);
  if (bytes <= largestMessageBytes) return;
  throw new AwsError(
    'BatchRequestTooLong',
    `Batch requests cannot be longer than ${largestMessageBytes} bytes. You have sent ${bytes} bytes.`,
  );
}

/** Throws `AwsError` `InvalidParameterValue`. */
export function checkRange(parameter: string, value: number | undefined, min: number, max: number): void {
  if (value === undefined || (value >= min && value <= max)) return;
  throw invalidParameter(value, parameter, `Must be between ${min} and ${max}, if provided.`);
}
