import * as z from 'zod/mini';
import { physicalName } from './physical-ids.ts';
import { referenceTo } from './references.ts';
import type { Resolve } from './resolve.ts';
import { mapResources } from './resources.ts';
import { type Template, TemplateError } from './template.ts';

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
  BatchSize: z._default(z.int().check(z.gte(1), z.lte(10_000)), 10),
  MaximumBatchingWindowInSeconds: z._default(z.int().check(z.gte(0), z.lte(300)), 0),
  ScalingConfig: z._default(
    z.object({ MaximumConcurrency: z._default(z.int().check(z.gte(2), z.lte(1000)), maxBatchesAtOnce) }),
    { MaximumConcurrency: maxBatchesAtOnce },
  ),
  FunctionResponseTypes: z._default(z.array(z.literal('ReportBatchItemFailures')), []),
  FilterCriteria: z.optional(z.undefined('the local world does not filter events')),
});

const maxWithoutWindow = 10;

/** Lambda compares the two when the mapping is created. These are the defaults of SQS and of Lambda. */
function demandVisibility(template: Template, resolve: Resolve, queue: string, target: string): void {
  const secondsOf = (logicalId: string, property: string, standard: number) =>
    Number(resolve(template.resources.get(logicalId)?.Properties[property] ?? standard));
  const visibility = secondsOf(queue, 'VisibilityTimeout', 30);
  const timeout = secondsOf(target, 'Timeout', 3);
  if (visibility < timeout) {
    throw new TemplateError(`the queue hides messages for ${visibility} s, but the function may take ${timeout} s`);
  }
}

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
      const { BatchSize: batchSize, MaximumBatchingWindowInSeconds: batchingWindowSeconds } = properties;
      if (batchSize > maxWithoutWindow && batchingWindowSeconds < 1) {
        throw new TemplateError(`batches of more than ${maxWithoutWindow} need a MaximumBatchingWindowInSeconds`);
      }
      demandVisibility(template, resolve, queue, target);
      return {
        logicalId,
        queueName: physicalName(template, queue),
        queueArn: properties.EventSourceArn,
        functionName: physicalName(template, target),
        batchSize,
        batchingWindowSeconds,
        maximumConcurrency: properties.ScalingConfig.MaximumConcurrency,
        reportBatchItemFailures: properties.FunctionResponseTypes.length > 0,
      };
    },
  );
}
