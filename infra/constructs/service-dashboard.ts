import { Dashboard, GraphWidget, type IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { ServiceMetrics } from './service-metrics.ts';

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
          graph('Waiting notifications', metrics.queued, metrics.queuedForSlowTargets, metrics.deadLetters),
          graph('Age of the oldest waiting notification in s', metrics.oldestQueued),
        ],
        [
          graph('Delivered batches of notifications', metrics.batches, metrics.deliveryThrottles),
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
