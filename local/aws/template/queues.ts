import * as z from 'zod/mini';
import { physicalName } from './physical-ids.ts';
import type { Resolve } from './resolve.ts';
import { mapResources } from './resources.ts';
import type { Template } from './template.ts';

export interface QueueDefinition {
  readonly logicalId: string;
  readonly name: string;
  /** As SQS's CreateQueue takes them: strings, `RedrivePolicy` as JSON. */
  readonly attributes: Readonly<Record<string, string>>;
}

const propertiesSchema = z.object({
  FifoQueue: z.optional(z.literal(false, 'the local world serves standard queues only')),
  DelaySeconds: z.optional(z.number()),
  MaximumMessageSize: z.optional(z.number()),
  MessageRetentionPeriod: z.optional(z.number()),
  ReceiveMessageWaitTimeSeconds: z.optional(z.number()),
  VisibilityTimeout: z.optional(z.number()),
  RedrivePolicy: z.optional(z.object({ deadLetterTargetArn: z.string(), maxReceiveCount: z.number() })),
});

/** The queues, dead-letter queues first: SQS demands that they exist before other queues point to them. */
export function readQueues(template: Template, resolve: Resolve): QueueDefinition[] {
  const queues = mapResources(
    template,
    resolve,
    'AWS::SQS::Queue',
    propertiesSchema,
    ({ logicalId, properties: { FifoQueue: _, ...attributes } }): QueueDefinition => ({
      logicalId,
      name: physicalName(template, logicalId),
      attributes: Object.fromEntries(
        Object.entries(attributes).map(([name, value]) => [
          name,
          typeof value === 'object' ? JSON.stringify(value) : String(value),
        ]),
      ),
    }),
  );
  const redrives = (queue: QueueDefinition) => Number(Object.hasOwn(queue.attributes, 'RedrivePolicy'));
  return queues.sort((a, b) => redrives(a) - redrives(b));
}
