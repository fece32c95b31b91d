import * as z from 'zod/mini';
import { physicalName } from './physical-ids.ts';
import { referenceTo } from './references.ts';
import type { Resolve } from './resolve.ts';
import { mapResources } from './resources.ts';
import type { Template } from './template.ts';

export interface EventSourceMapping {
  readonly logicalId: string;
  readonly queueName: string;
  readonly queueArn: string;
  readonly functionName: string;
  readonly batchSize: number;
  readonly batchingWindowSeconds: number;
  /** How many batches may run at once. AWS starts with five. */
  readonly maximumConcurrency: number;
  readonly reportBatchItemFailures: boolean;
}

const propertiesSchema = z.object({
  EventSourceArn: z.string(),
  BatchSize: z._default(z.number(), 10),
  MaximumBatchingWindowInSeconds: z._default(z.number(), 0),
  ScalingConfig: z._default(z.object({ MaximumConcurrency: z._default(z.number(), 5) }), { MaximumConcurrency: 5 }),
  FunctionResponseTypes: z._default(z.array(z.literal('ReportBatchItemFailures')), []),
  FilterCriteria: z.optional(z.undefined('the local world does not filter events')),
});

/** The mappings from queues to functions. */
export function readEventSourceMappings(template: Template, resolve: Resolve): EventSourceMapping[] {
  return mapResources(
    template,
    resolve,
    'AWS::Lambda::EventSourceMapping',
    propertiesSchema,
    ({ logicalId, resource, properties }): EventSourceMapping => {
      const queue = referenceTo(template, 'AWS::SQS::Queue', resource.Properties.EventSourceArn);
      const target = referenceTo(template, 'AWS::Lambda::Function', resource.Properties.FunctionName);
      return {
        logicalId,
        queueName: physicalName(template, queue),
        queueArn: properties.EventSourceArn,
        functionName: physicalName(template, target),
        batchSize: properties.BatchSize,
        batchingWindowSeconds: properties.MaximumBatchingWindowInSeconds,
        maximumConcurrency: properties.ScalingConfig.MaximumConcurrency,
        reportBatchItemFailures: properties.FunctionResponseTypes.length > 0,
      };
    },
  );
}
