import { Alarm, ComparisonOperator, type IMetric, MathExpression, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Construct } from 'constructs';
import type { Config } from '../config.ts';
import { AlarmTopic } from './alarm-topic.ts';
import type { ServiceMetrics } from './service-metrics.ts';

interface AlarmDefinition {
  metric: IMetric;
  /** What users notice. */
  impact: string;
  /** What the operator does. */
  remedy: string;
  /** Alarms from this value on; 1 unless told. */
  threshold?: number;
  /** In so many of the last five minutes; 1 unless told. */
  minutes?: number;
}

/** Retries wait in the queue for so long by intent (SQS, DelaySeconds), and may count as its oldest messages. */
const longestDelaySeconds = 900;

export interface ServiceAlarmsProps {
  config: Config;
  metrics: ServiceMetrics;
}

/** Alarms that say what users notice and what to do, mailed when the configuration says to whom. */
export class ServiceAlarms extends Construct {
  constructor(scope: Construct, id: string, { config, metrics }: ServiceAlarmsProps) {
    super(scope, id);
    const topic = config.alarmEmail === undefined ? undefined : new AlarmTopic(this, 'Topic', config.alarmEmail);
    for (const [name, definition] of Object.entries(alarmDefinitions(metrics, config))) {
      const { metric, impact, remedy, threshold = 1, minutes = 1 } = definition;
      const alarm = new Alarm(this, name, {
        metric,
        threshold,
        comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        datapointsToAlarm: minutes,
        evaluationPeriods: 5,
        treatMissingData: TreatMissingData.NOT_BREACHING,
        alarmDescription: `Impact: ${impact}\nWhat to do: ${remedy}`,
      });
      if (topic) alarm.addAlarmAction(new SnsAction(topic));
    }
  }
}

function alarmDefinitions(metrics: ServiceMetrics, { secretNames }: Config): Record<string, AlarmDefinition> {
  const { requests, serverErrors, endpointFailures, authorizerErrors, failures, throttles, credentialsRefused } =
    metrics;
  return {
    ServerErrors: {
      metric: new MathExpression({
        expression: 'IF(requests >= 20, 100 * (serverErrors - FILL(endpointFailures, 0)) / requests, 0)',
        usingMetrics: { requests, serverErrors, endpointFailures },
        label: '5xx in % of requests, without those of customers’ endpoints',
        period: requests.period,
      }),
      threshold: 5,
      minutes: 3,
      impact:
        'One request in twenty or more fails with a 5xx, those not counted that stand for the endpoint of a customer.',
      remedy:
        'Group the access log by routeKey, status and integrationError. If it is 502 and 504 of operations that need the WhatsApp Cloud API, or 503 of media, look at the status page of the WhatsApp Business Platform; else at the logs of the functions that fail.',
    },
    AuthorizerErrors: {
      metric: authorizerErrors,
      impact: 'Callers with a valid token get a 500 from every operation that needs one.',
      remedy: 'Look at the log of the authorizer. Most likely it cannot read the table.',
    },
    FunctionFailures: {
      metric: failures,
      impact: 'Requests fail with a 500 or 503 by a fault of the service itself.',
      remedy:
        'Search the logs of the functions for the event "request.failed" and for reports with the status error, failure or timeout.',
    },
    FunctionThrottles: {
      metric: throttles,
      impact:
        'Requests may fail with a 503: functions needed more concurrency than the account has in this region, or than is reserved for them.',
      remedy:
        'See which functions are throttled. If only ExchangeFlowData or ExchangePreviewData is, the endpoints of customers hang, and the limit protects the rest. If ReceiveEvents or DeliverNotifications is at its own reservation, raise the reservation in infra/config.ts. If other functions are throttled, ask AWS for a higher quota of concurrent executions (docs/deploying.md, Concurrency).',
    },
    UpstreamCredentialsRefused: {
      metric: credentialsRefused,
      impact: 'Callers get a 502 from every operation that needs the WhatsApp Cloud API: it refuses our credentials.',
      remedy: `Make a new access token and put it into the secret ${secretNames.upstream} (or that of the workspace). The functions use it within five minutes.`,
    },
    UpstreamFailures: {
      metric: metrics.upstreamFailures,
      minutes: 3,
      impact:
        'Requests that need the WhatsApp Cloud API get a 502 or 504, in three of five minutes: it fails or does not answer.',
      remedy:
        'Look at the status page of the WhatsApp Business Platform. If it reports nothing, search the logs of the functions for the event "upstream.failed": it has the kind of failure and the code. Nothing is lost: what was not done is told to the caller.',
    },
    DeadLetters: {
      metric: metrics.deadLetters,
      impact: 'Notifications did not reach their webhooks, by a fault of the service itself.',
      remedy:
        'Find the event "delivery.failed" in the log of DeliverNotifications and mend the fault. Then redrive: aws sqs start-message-move-task --source-arn with the output DeadLetterQueueArn. Dead letters are lost 14 days after the notification was accepted.',
    },
    DeliveryFailures: {
      metric: metrics.deliveryFailures,
      minutes: 3,
      impact:
        'Notifications are late because of a fault in the service itself; each is tried twenty times, every three minutes.',
      remedy:
        'Search the log of DeliverNotifications for the event "delivery.failed" and for reports with the status error, failure or timeout. What fails twenty times goes to the dead-letter queue.',
    },
    DeliveryThrottles: {
      metric: metrics.deliveryThrottles,
      minutes: 3,
      impact: 'Notifications come late: Lambda has no room for the function that delivers them.',
      remedy:
        'See which functions of this account use up its concurrency in this region, and ask AWS for a higher quota of concurrent executions.',
    },
    DeliveryBacklog: {
      metric: metrics.oldestQueued,
      threshold: longestDelaySeconds + 300,
      minutes: 3,
      impact: 'Notifications that should go out at once wait for 20 minutes or more.',
      remedy:
        'Compare the waiting notifications with the delivered batches on the dashboard. If the number of concurrent batches is at its limit, raise the concurrency of deliveries in infra/config.ts; if there are none, look at the event source mapping of DeliverNotifications and at the other alarms. A notification that was received more than three times no longer counts as the oldest: the alarms of failures and dead letters see those.',
    },
    SweepErrors: {
      metric: metrics.sweepErrors,
      minutes: 3,
      impact:
        'Retries that wait for more than 15 minutes come late, and webhooks that answer again stay out of use for longer.',
      remedy: 'Look at the log of SweepDeliveries. Nothing is lost: the next sweep that succeeds makes up for it.',
    },
    TargetsPaused: {
      metric: metrics.targetsPaused,
      impact:
        'For your information: a webhook has failed for 28 hours. Its notifications are kept, for 30 days each, and no longer tried.',
      remedy:
        'The event "target.paused" in the logs of DeliverNotifications and SweepDeliveries names number and target. Tell whose it is: mend the webhook or set another, then POST …/webhook/resume.',
    },
  };
}
