import { Duration, Stack } from 'aws-cdk-lib';
import type { HttpStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type IFilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { ServiceFunction } from './service-function.ts';

export interface ServiceMetricsProps {
  stage: HttpStage;
  operations: readonly ServiceFunction[];
  /** The operation that serves customers' endpoints to phones. */
  exchangeFlowData: ServiceFunction;
  authorizer: ServiceFunction;
  deliverNotifications: ServiceFunction;
  sweepDeliveries: ServiceFunction;
  queue: Queue;
  slowQueue: Queue;
  deadLetterQueue: Queue;
}

const period = Duration.minutes(1);
const sum = { statistic: 'Sum', period };
const maximum = { statistic: 'Maximum', period };

/** The service's metrics, by the minute. */
export class ServiceMetrics extends Construct {
  readonly requests: Metric;
  readonly clientErrors: Metric;
  readonly serverErrors: Metric;
  /** The server errors that failures of customers' endpoints caused. */
  readonly endpointFailures: Metric;
  readonly medianLatency: Metric;
  readonly highLatency: Metric;
  readonly authorizerErrors: Metric;
  /** Throttles of all functions of the account in this region, because they share one quota. */
  readonly throttles: Metric;
  /** Faults of our own in handling requests: unexpected errors, crashes and timeouts. */
  readonly failures: Metric;
  readonly credentialsRejected: Metric;
  /** Requests that failed at the upstream, for any operation. */
  readonly upstreamFailures: Metric;
  readonly queued: Metric;
  readonly oldestQueued: Metric;
  readonly queuedForSlowTargets: Metric;
  readonly deadLetters: Metric;
  readonly batches: Metric;
  /** Faults of our own in delivering notifications. Failures of receivers do not count. */
  readonly deliveryFailures: Metric;
  /** Notifications that come back to the queue again and again. */
  readonly deliveryRecursion: Metric;
  readonly deliveryThrottles: Metric;
  readonly sweepErrors: Metric;
  readonly sweeps: Metric;
  /** Targets whose circuit breaker was paused. */
  readonly targetsPaused: Metric;

  constructor(scope: Construct, id: string, props: ServiceMetricsProps) {
    super(scope, id);
    const {
      stage,
      operations,
      exchangeFlowData,
      authorizer,
      deliverNotifications,
      sweepDeliveries,
      queue,
      slowQueue,
      deadLetterQueue,
    } = props;
    const handlers = [...operations, authorizer];
    const upstreamCallers = operations.filter(({ definition }) => definition.uses.upstream);
    this.requests = stage.metricCount(sum);
    this.clientErrors = stage.metricClientError(sum);
    this.serverErrors = stage.metricServerError(sum);
    this.endpointFailures = this.#logLines('EndpointFailures', logEvent('endpoint.failed'), [exchangeFlowData]);
    this.medianLatency = stage.metricLatency({ statistic: 'p50', period });
    this.highLatency = stage.metricLatency({ statistic: 'p99', period });
    this.authorizerErrors = authorizer.metricErrors(sum);
    this.throttles = new Metric({ namespace: 'AWS/Lambda', metricName: 'Throttles', ...sum });
    this.failures = this.#logLines(
      'FunctionFailures',
      FilterPattern.any(logEvent('request.failed'), failedInvocation),
      handlers,
    );
    this.credentialsRejected = this.#logLines(
      'UpstreamCredentialsRejected',
      logEvent('upstream.credentials-rejected'),
      upstreamCallers,
    );
    this.upstreamFailures = this.#logLines('UpstreamFailures', logEvent('upstream.failed'), upstreamCallers);
    this.queued = queue.metricApproximateNumberOfMessagesVisible(maximum);
    this.oldestQueued = queue.metricApproximateAgeOfOldestMessage(maximum);
    this.queuedForSlowTargets = slowQueue.metricApproximateNumberOfMessagesVisible(maximum);
    this.deadLetters = deadLetterQueue.metricApproximateNumberOfMessagesVisible(maximum);
    this.batches = deliverNotifications.metricInvocations(sum);
    this.deliveryFailures = this.#logLines(
      'DeliveryFailures',
      FilterPattern.any(logEvent('delivery.failed'), failedInvocation),
      [deliverNotifications],
    );
    this.deliveryRecursion = this.#logLines('DeliveryRecursion', logEvent('delivery.recursive'), [
      deliverNotifications,
    ]);
    this.deliveryThrottles = deliverNotifications.metricThrottles(sum);
    this.sweepErrors = sweepDeliveries.metricErrors(sum);
    this.sweeps = sweepDeliveries.metricInvocations(sum);
    this.targetsPaused = this.#logLines('TargetsPaused', logEvent('target.paused'), [
      deliverNotifications,
      sweepDeliveries,
    ]);
  }

  #logLines(metricName: string, filterPattern: IFilterPattern, functions: readonly ServiceFunction[]): Metric {
    const metricNamespace = Stack.of(this).stackName;
    for (const logGroup of new Set(functions.map((one) => one.logGroup))) {
      const id = `${metricName}In${logGroup.node.id}`;
      new MetricFilter(this, id, { logGroup, filterPattern, metricNamespace, metricName });
    }
    return new Metric({ namespace: metricNamespace, metricName, ...sum });
  }
}

/** Matches log lines of `shared/base/log/logger.ts` with this event. */
function logEvent(name: string) {
  return FilterPattern.stringValue('$.message.event', '=', name);
}

/**
 * Matches Lambda's report of a failed invocation: a crash, a timeout, no memory, or a failed initialisation. Lambda
 * writes other lines with a status when something fails (`platform.runtimeDone`, `platform.initReport`), which would
 * count one failure several times, and initialisations that Lambda repeats with success (Lambda Developer Guide,
 * "System log level event mapping" and "Telemetry API Event schema reference").
 */
const failedInvocation = FilterPattern.all(
  FilterPattern.stringValue('$.type', '=', 'platform.report'),
  FilterPattern.any(
    ...['error', 'failure', 'timeout'].map((status) => FilterPattern.stringValue('$.record.status', '=', status)),
  ),
);
