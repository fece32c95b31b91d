import { Stack, Validations } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type IMetric, MathExpression, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { deliveryKeptDays, longestDelaySeconds } from '#shared/delivery/delivery.ts';
import { pausesAfterHours } from '#shared/webhooks/breaker.ts';
import type { Config } from '../config.ts';
import type { ServiceMetrics } from './service-metrics.ts';

interface AlarmDefinition {
  metric: IMetric;
  /** What users notice. */
  impact: string;
  /** What the operator should do. */
  remedy: string;
  /** The alarm goes off at this value or above; 1 by default. */
  threshold?: number;
  /** In how many of the last five minutes the threshold must be reached; 1 by default. */
  minutes?: number;
  /** The alarm goes off below the threshold instead, and without data. */
  whenMissing?: boolean;
}

/** Alarms that state what users notice and what to do. They send mail if the configuration has an address. */
export class ServiceAlarms extends Construct {
  constructor(scope: Construct, id: string, { config, metrics }: { config: Config; metrics: ServiceMetrics }) {
    super(scope, id);
    const topic = config.alarmEmail === undefined ? undefined : new AlarmTopic(this, 'Topic', config.alarmEmail);
    for (const [name, definition] of Object.entries(alarmDefinitions(metrics, config))) {
      const { metric, impact, remedy, threshold = 1, minutes = 1, whenMissing = false } = definition;
      const alarm = new Alarm(this, name, {
        metric,
        threshold,
        comparisonOperator: whenMissing
          ? ComparisonOperator.LESS_THAN_THRESHOLD
          : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        datapointsToAlarm: minutes,
        evaluationPeriods: 5,
        treatMissingData: whenMissing ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
        alarmDescription: `Impact: ${impact}\nWhat to do: ${remedy}`,
      });
      if (topic) alarm.addAlarmAction(new SnsAction(topic));
    }
  }
}

/** The topic for this account's alarms; it forwards them by mail. */
class AlarmTopic extends Topic {
  constructor(scope: Construct, id: string, email: string) {
    super(scope, id, { enforceSSL: true });
    this.addSubscription(new EmailSubscription(email));
    // A topic with its own policy loses the default one, which lets the account's alarms publish. This statement
    // restores that.
    const conditions = { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } };
    this.grantPublish(new ServicePrincipal('cloudwatch.amazonaws.com', { conditions }));
    Validations.of(this).acknowledge({
      id: 'Serverless-SNSRedrivePolicy',
      reason: 'An alarm whose mail is lost still stands in CloudWatch.',
    });
  }
}

/** Retries wait in the queue for up to the longest delay by design and may count as its oldest messages. */
const backlogSeconds = longestDelaySeconds + 300;

function alarmDefinitions(metrics: ServiceMetrics, config: Config): Record<string, AlarmDefinition> {
  const { requests, serverErrors, endpointFailures } = metrics;
  return {
    ServerErrors: {
      metric: new MathExpression({
        expression: 'IF(requests >= 20, 100 * (serverErrors - FILL(endpointFailures, 0)) / requests, 0)',
        usingMetrics: { requests, serverErrors, endpointFailures },
        label: '5xx in % of requests, without failures of customer endpoints',
        period: requests.period,
      }),
      threshold: 5,
      minutes: 3,
      impact: 'At least 5% of requests fail with a 5xx, excluding failures of customer endpoints.',
      remedy:
        'Group the access log by routeKey, status and integrationError. If operations that need the WhatsApp Cloud API return 502 or 504, or media return 503, check the status page of the WhatsApp Business Platform. Otherwise check the logs of the failing functions.',
    },
    FunctionFailures: {
      metric: metrics.failures,
      impact: 'Requests fail with a 500 or 503 because of a fault in the service itself.',
      remedy:
        'Search the logs of the functions for the event "request.failed" and for reports with the status error, failure or timeout.',
    },
    FunctionThrottles: {
      metric: metrics.throttles,
      impact:
        'Requests may fail with a 503, and notifications may be late, because functions need more concurrency than the account has in this region or than is reserved for them.',
      remedy:
        'Find out which functions are throttled. If only ExchangeFlowData or ExchangePreviewData is throttled, customer endpoints hang and the limit protects the other functions. If ReceiveEvents or DeliverNotifications has reached its reservation, raise the reservation in infra/config.ts. If other functions are throttled, ask AWS for a higher quota of concurrent executions (docs/deploying.md, Concurrency).',
    },
    UpstreamCredentialsRejected: {
      metric: metrics.credentialsRejected,
      impact:
        'Callers get a 502 from every operation that needs the WhatsApp Cloud API, because it rejects our credentials.',
      remedy: `Create a new access token and store it: ./messaging upstream set --stage ${config.stage}, with --workspace WORKSPACE if the workspace has credentials of its own. The functions use it within five minutes. To see what else is wrong: ./messaging doctor --stage ${config.stage}`,
    },
    UpstreamFailures: {
      metric: metrics.upstreamFailures,
      minutes: 3,
      impact: 'Requests that need the WhatsApp Cloud API get a 502 or 504, because it fails or does not respond.',
      remedy:
        'Check the status page of the WhatsApp Business Platform. If it reports nothing, search the logs of the functions for the event "upstream.failed", which has the kind of failure and the code. Nothing is lost: callers receive an error for every request that failed.',
    },
    DeadLetters: {
      metric: metrics.deadLetters,
      impact: 'Notifications did not reach their webhooks because of a fault in the service itself.',
      remedy:
        'Find the event "delivery.failed" in the log of DeliverNotifications and fix the fault. Then redrive the queue: aws sqs start-message-move-task --source-arn with the output DeadLetterQueueArn. Dead letters are lost 14 days after the notification was accepted.',
    },
    DeliveryFailures: {
      metric: metrics.deliveryFailures,
      minutes: 3,
      impact:
        'Notifications are late because of a fault in the service itself. Each is tried twenty times, every three minutes.',
      remedy:
        'Search the log of DeliverNotifications for the event "delivery.failed" and for reports with the status error, failure or timeout. Notifications that fail twenty times go to the dead-letter queue.',
    },
    DeliveryRecursion: {
      metric: metrics.deliveryRecursion,
      impact:
        'A notification has come back to the queue thousands of times without an attempt. Each time costs some AWS calls. Drains of held deliveries do not count.',
      remedy:
        'The event "delivery.requeue-limit" in the log of DeliverNotifications names the subscriber. It is a fault of the service: set the reserved concurrency of DeliverNotifications to 0 to stop it; notifications then wait in the queue for up to four days.',
    },
    DeliveryBacklog: {
      metric: metrics.oldestQueued,
      threshold: backlogSeconds,
      minutes: 3,
      impact: 'Notifications that should be sent immediately wait for 20 minutes or more.',
      remedy:
        'Compare the waiting notifications with the delivered batches on the dashboard. If the number of concurrent batches is at its limit, raise the concurrency of deliveries in infra/config.ts. If there are no batches, check the event source mapping of DeliverNotifications and the other alarms. A notification that was received more than three times no longer counts as the oldest; the alarms DeliveryFailures and DeadLetters cover those.',
    },
    SweepErrors: {
      metric: metrics.sweepErrors,
      minutes: 3,
      impact:
        'Retries that wait for more than 15 minutes are late, and delivery to webhooks that have recovered resumes late.',
      remedy: 'Check the log of SweepDeliveries. Nothing is lost: the next successful sweep catches up.',
    },
    SweepMissing: {
      metric: metrics.sweeps,
      minutes: 5,
      whenMissing: true,
      impact:
        'Retries that wait for more than 15 minutes are not made, and delivery to webhooks that have recovered does not resume.',
      remedy:
        'The sweep has not run for five minutes. Check that the rule that starts SweepDeliveries each minute is enabled, and whether the function is throttled. Nothing is lost: the next sweep catches up. In the first minutes after a deployment, it goes off by itself.',
    },
    TargetsPaused: {
      metric: metrics.targetsPaused,
      impact: `For your information: a webhook has failed for ${pausesAfterHours} hours, so the service has paused it. It keeps each notification for ${deliveryKeptDays} days but no longer tries to send them.`,
      remedy:
        'The event "target.paused" in the logs of DeliverNotifications and SweepDeliveries names the target and its subscriber, a number or a workspace. Ask the owner to fix or replace the webhook, then to POST …/webhook/resume.',
    },
  };
}
