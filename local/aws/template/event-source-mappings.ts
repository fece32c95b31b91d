import * as z from 'zod/mini';
import { physicalName } from './physical-ids.ts';
import type { Resolve } from './resolve.ts';
import { mapResources, referenceTo } from './resources.ts';
import type { Template } from './template.ts';

export interface EventSourceMapping {
  readonly logicalId: string;
  readonly queueName: string;
  readonly queueArn: string;
  readonly functionName: string;
  readonly batchSize: number;
  readonly batchingWindowSeconds: number;
  /** How many batches may run at once. */
  readonly maximumConcurrency: number;
  readonly reportBatchItemFailures: boolean;
}

/** Without a maximum of its own, a mapping of a standard queue scales up to Lambda's limit. */
const maxBatchesAtOnce = 1_250;

const propertiesSchema = z.object({
  EventSourceArn: z.string(),
  BatchSize: z._default(z.int(), 10),
  MaximumBatchingWindowInSeconds: z._default(z.int(), 0),
  ScalingConfig: z._default(z.object({ MaximumConcurrency: z.int() }), { MaximumConcurrency: maxBatchesAtOnce }),
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
