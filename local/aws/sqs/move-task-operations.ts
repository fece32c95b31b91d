import * as z from 'zod/mini';
import { type AwsCall, type AwsOperation, awsOperation } from '../base/aws-json.ts';
import { checkRange } from './message-rules.ts';
import type { MoveTask, MoveTasks } from './move-tasks.ts';
import type { Queue } from './queue/queue.ts';
import type { QueueRegistry } from './queue-registry.ts';
import { invalidParameterValue, resourceNotFound } from './sqs-errors.ts';

const integer = z.optional(z.int());

/** The operations of the SQS API that move the messages of dead-letter queues. */
export function moveTaskOperations(registry: QueueRegistry, moveTasks: MoveTasks): Record<string, AwsOperation> {
  const demandSource = (arn: string, call: AwsCall): Queue => {
    call.demandAccess(arn);
    const source = registry.withArn(arn);
    if (source === undefined) throw resourceNotFound('SourceArn');
    return source;
  };

  return {
    StartMessageMoveTask: awsOperation(
      z.strictObject({
        SourceArn: z.string(),
        DestinationArn: z.optional(z.string()),
        MaxNumberOfMessagesPerSecond: integer,
      }),
      ({ SourceArn, DestinationArn, MaxNumberOfMessagesPerSecond }, call) => {
        const source = demandSource(SourceArn, call);
        checkRange('MaxNumberOfMessagesPerSecond', MaxNumberOfMessagesPerSecond, 1, 500);
        const destination = DestinationArn === undefined ? undefined : registry.withArn(DestinationArn);
        if (DestinationArn !== undefined && destination === undefined) throw resourceNotFound('DestinationArn');
        if (registry.sourcesOf(source).length === 0) {
          throw invalidParameterValue('Source queue must be configured as a Dead Letter Queue.');
        }
        const task = moveTasks.start({ source, destination, messagesPerSecond: MaxNumberOfMessagesPerSecond });
        return { TaskHandle: task.handle };
      },
    ),

    ListMessageMoveTasks: awsOperation(
      z.strictObject({ SourceArn: z.string(), MaxResults: integer }),
      ({ SourceArn, MaxResults = 1 }, call) => {
        const source = demandSource(SourceArn, call);
        checkRange('MaxResults', MaxResults, 1, 10);
        return { Results: moveTasks.of(source).slice(0, MaxResults).map(writeMoveTask) };
      },
    ),
  };
}

function writeMoveTask(task: MoveTask) {
  return {
    // Only a running task can be cancelled, so only a running one has a handle.
    TaskHandle: task.status === 'RUNNING' ? task.handle : undefined,
    Status: task.status,
    SourceArn: task.sourceArn,
    DestinationArn: task.destinationArn,
    MaxNumberOfMessagesPerSecond: task.messagesPerSecond,
    ApproximateNumberOfMessagesMoved: task.moved,
    ApproximateNumberOfMessagesToMove: task.toMove,
    FailureReason: task.failureReason,
    StartedTimestamp: task.startedAt,
  };
}
