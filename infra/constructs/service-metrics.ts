import { Duration, Stack } from 'aws-cdk-lib';
import type { HttpStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { Dashboard, GraphWidget, type IMetric, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type IFilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { ServiceFunction } from './service-function.ts';

export interface ServiceMetricsProps {
  stage: HttpStage;
  operations: readonly ServiceFunction[];
  /** The operation that serves customers' endpoints to phones. */
  exchangeFlowData: ServiceFunction;
  deliverNotifications: ServiceFunction;
  sweepDeliveries: ServiceFunction;
  queue: Queue;
  deadLetterQueue: Queue;
}

const period = Duration.minutes(1);
const sum = { statistic: 'Sum', period };
const maximum = { statistic: 'Maximum', period };

export type ServiceMetrics = ReturnType<typeof serviceMetrics>;

/** The service's metrics, by the minute. */
export function serviceMetrics(scope: Construct, id: string, props: ServiceMetricsProps) {
  const { stage, operations, exchangeFlowData, deliverNotifications, sweepDeliveries, queue, deadLetterQueue } = props;
  const upstreamCallers = operations.filter(({ definition }) => definition.uses.upstream);
  const filters = new Construct(scope, id);
  const logLines = (metricName: string, filterPattern: IFilterPattern, functions: readonly ServiceFunction[]) => {
    const metricNamespace = Stack.of(scope).stackName;
    for (const logGroup of new Set(functions.map((one) => one.logGroup))) {
      const filter = { logGroup, filterPattern, metricNamespace, metricName };
      new MetricFilter(filters, `${metricName}In${logGroup.node.id}`, filter);
    }
    return new Metric({ namespace: metricNamespace, metricName, ...sum });
  };
  return {
    requests: stage.metricCount(sum),
    clientErrors: stage.metricClientError(sum),
    serverErrors: stage.metricServerError(sum),
    /** The server errors that failures of customers' endpoints caused. */
    endpointFailures: logLines('EndpointFailures', logEvent('endpoint.failed'), [exchangeFlowData]),
    medianLatency: stage.metricLatency({ statistic: 'p50', period }),
    highLatency: stage.metricLatency({ statistic: 'p99', period }),
    /** Throttles of all functions of the account in this region, because they share one quota. */
    throttles: new Metric({ namespace: 'AWS/Lambda', metricName: 'Throttles', ...sum }),
    /** Faults of our own in handling requests: unexpected errors, crashes and timeouts. */
    failures: logLines('FunctionFailures', FilterPattern.any(logEvent('request.failed'), failedInvocation), operations),
    credentialsRejected: logLines(
      'UpstreamCredentialsRejected',
      logEvent('upstream.credentials-rejected'),
      upstreamCallers,
    ),
    /** Requests that failed at the upstream, for any operation. */
    upstreamFailures: logLines('UpstreamFailures', logEvent('upstream.failed'), upstreamCallers),
    queued: queue.metricApproximateNumberOfMessagesVisible(maximum),
    oldestQueued: queue.metricApproximateAgeOfOldestMessage(maximum),
    deadLetters: deadLetterQueue.metricApproximateNumberOfMessagesVisible(maximum),
    batches: deliverNotifications.metricInvocations(sum),
    /** Faults of our own in delivering notifications. Failures of receivers do not count. */
    deliveryFailures: logLines('DeliveryFailures', FilterPattern.any(logEvent('delivery.failed'), failedInvocation), [
      deliverNotifications,
    ]),
    /** Notifications that come back to the queue again and again. */
    deliveryRecursion: logLines('DeliveryRecursion', logEvent('delivery.requeue-limit'), [deliverNotifications]),
    sweepErrors: sweepDeliveries.metricErrors(sum),
    sweeps: sweepDeliveries.metricInvocations(sum),
    /** Targets whose circuit breaker was paused. */
    targetsPaused: logLines('TargetsPaused', logEvent('target.paused'), [deliverNotifications, sweepDeliveries]),
  };
}

/** Matches log lines of `shared/base/logger.ts` with this event. */
function logEvent(name: string) {
  return FilterPattern.stringValue('$.message.event', '=', name);
}

/**
 * Matches Lambda's report of a failed invocation: a crash, a timeout, no memory, or a failed initialisation. Lambda writes
 * other lines with a status when something fails (`platform.runtimeDone`, `platform.initReport`), which would count one
 * failure several times, and initialisations that Lambda repeats with success (Lambda Developer Guide, "System log level
 * event mapping" and "Telemetry API Event schema reference").
 */
const failedInvocation = FilterPattern.all(
  FilterPattern.stringValue('$.type', '=', 'platform.report'),
  FilterPattern.any(
    ...['error', 'failure', 'timeout'].map((status) => FilterPattern.stringValue('$.record.status', '=', status)),
  ),
);

/** The service at a glance. */
export class ServiceDashboard extends Dashboard {
  constructor(scope: Construct, id: string, metrics: ServiceMetrics) {
    super(scope, id, {
      widgets: [
        [
          graph('Requests', metrics.requests, metrics.clientErrors, metrics.serverErrors),
          graph('Latency in ms', metrics.medianLatency, metrics.highLatency),
        ],
        [
          graph('Faults of the service', metrics.failures, metrics.throttles),
          graph('Upstream failures', metrics.upstreamFailures, metrics.credentialsRejected),
        ],
        [
          graph('Waiting notifications', metrics.queued, metrics.deadLetters),
          graph('Age of the oldest waiting notification in s', metrics.oldestQueued),
        ],
        [
          graph('Delivered batches of notifications', metrics.batches),
          graph(
            'Delivery faults and paused webhooks',
            metrics.deliveryFailures,
            metrics.sweepErrors,
            metrics.targetsPaused,
          ),
        ],
      ],
    });
  }
}

function graph(title: string, ...left: IMetric[]): GraphWidget {
  return new GraphWidget({ title, left, width: 12 });
}
