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
          graph('Faults', metrics.failures, metrics.authorizerErrors, metrics.throttles),
          graph('Upstream', metrics.credentialsRefused),
        ],
        [
          graph('Notifications waiting', metrics.queued, metrics.deadLetters),
          graph('Oldest notification waiting, in s', metrics.oldestQueued),
        ],
        [
          graph('Batches of notifications delivered', metrics.batches, metrics.deliveryThrottles),
          graph(
            'Faults in delivery, webhooks given up',
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
