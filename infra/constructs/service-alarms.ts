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
  const { requests, serverErrors, authorizerErrors, failures, throttles, credentialsRefused, deadLetters } = metrics;
  return {
    ServerErrors: {
      metric: new MathExpression({
        expression: 'IF(requests >= 20, 100 * serverErrors / requests, 0)',
        usingMetrics: { requests, serverErrors },
        label: '5xx in % of requests',
        period: requests.period,
      }),
      threshold: 5,
      minutes: 3,
      impact: 'One request in twenty or more fails with a 5xx.',
      remedy:
        'Group the access log by routeKey, status and integrationError. If it is 502 and 504 of operations that need the WhatsApp Cloud API, look at the status page of the WhatsApp Business Platform; else at the logs of the functions that fail.',
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
      impact: 'Requests may fail with a 503: functions of this account wanted more concurrency than this region gives.',
      remedy: 'See which functions use it up, and ask AWS for a higher quota of concurrent executions.',
    },
    UpstreamCredentialsRefused: {
      metric: credentialsRefused,
      impact: 'Callers get a 502 from every operation that needs the WhatsApp Cloud API: it refuses our credentials.',
      remedy: `Make a new access token and put it into the secret ${secretNames.upstream} (or that of the workspace). The functions use it within five minutes.`,
    },
    DeadLetters: {
      metric: deadLetters,
      impact: 'Notifications did not reach their webhooks, by a fault of the service itself.',
      remedy:
        'Find the fault in the logs and mend it, then start a redrive of the dead-letter queue. Dead letters are lost 14 days after the notification was accepted.',
    },
  };
}
