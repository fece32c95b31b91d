import { dollarsOf, prices, type Usage } from '#support/aws/aws-prices.ts';
import {
  accessLogBytes,
  eventResponseBytes,
  loggedBytes,
  notificationPostBytes,
  platformLogBytes,
} from '#support/aws/billed-bytes.ts';

/** The parts of a synthesised template that say what a deployment costs. */
export interface CostTemplate {
  Resources: Record<string, { Type: string; Properties?: Record<string, unknown>; Metadata?: Record<string, unknown> }>;
}

/** How the notifications come. */
export interface Load {
  /** Messages in one request of the platform. */
  messagesInARequest: number;
  /** Messages in one batch of `deliver-notifications`. */
  messagesInABatch: number;
}

/** What one request of an operation uses. */
export interface OperationUse {
  /** The function's id in the template. */
  name: string;
  seconds: number;
  readUnits: number;
  writeUnits: number;
  responseBytes: number;
}

/** By what is charged for. */
export type Dollars = Readonly<Record<string, number>>;

const million = 1e6;
const daysInAMonth = 30;
const minutesInAMonth = daysInAMonth * 24 * 60;

/**
 * Receivers respond after 200 ms. `bench` measures a little less than these; what its functions compute is included.
 */
const seconds = {
  ingestion: 0.05,
  delivering: (messages: number) => 0.25 + 0.005 * (messages - 1),
  sweep: 0.1,
};

/** A notification with a line of text has an item of about 790 bytes, and DynamoDB counts 100 more for each. */
const itemBytes = 890;
const itemWrites = 2;
const keptDays = 30;

/** The line of `ReceiveEvents` about a request, as Lambda writes it. A delivery that succeeds logs nothing. */
const requestLine =
  '{"timestamp":"2026-01-01T00:00:00.000Z","level":"INFO","requestId":"00000000-0000-4000-8000-000000000000","message":{"event":"request","request":"00000000-0000-4000-8000-000000000000","operation":"receive-events","status":200,"duration_ms":50}}';

/** Queries of an idle sweep: each finds nothing, which half a unit pays for. */
const sweepQueries = 17;

/** Lambda polls a queue with at least five pollers, each of which waits for 20 s. */
const pollers = 5;
const pollsAMinute = 3;

/** What CloudWatch makes of a log that it keeps (CloudWatch pricing, "Logs": its examples). */
const compression = 0.15;

/** How often a process reads the secret again. */
const secretReadsAMonth = minutesInAMonth / 5;

/** What a stack costs, computed from its template. */
export function deploymentCosts(template: CostTemplate) {
  const all = Object.values(template.Resources);
  const ofType = (type: string) => all.filter(({ Type }) => Type === type).map(({ Properties = {} }) => Properties);
  const gigabytesOf = (name: string) => {
    const path = `/${name}/Resource`;
    const found = all.find(({ Metadata }) => String(Metadata?.['aws:cdk:path']).endsWith(path));
    return Number(found?.Properties?.MemorySize) / 1024;
  };
  const alarms = ofType('AWS::CloudWatch::Alarm');
  const watched = alarms.reduce((sum, alarm) => sum + metricsOf(alarm), 0);
  const counted = new Set(ofType('AWS::Logs::MetricFilter').map(metricOfFilter)).size;
  const dashboards = ofType('AWS::CloudWatch::Dashboard').length;
  const secrets = ofType('AWS::SecretsManager::Secret').length;
  const feeds = ofType('AWS::Lambda::EventSourceMapping').length;
  const [stage] = ofType('AWS::ApiGatewayV2::Stage');
  const accessLog = accessLogBytes(String(Object(stage?.AccessLogSettings).Format));
  const monthsOfLogs = Number(ofType('AWS::Logs::LogGroup')[0]?.RetentionInDays) / daysInAMonth;

  /** A month in which nothing happens. */
  const idle: Dollars = {
    ...dollarsOf({
      ...nothing,
      invocations: minutesInAMonth,
      gigabyteSeconds: minutesInAMonth * seconds.sweep * gigabytesOf('SweepDeliveries'),
      readUnits: (minutesInAMonth * sweepQueries) / 2,
      loggedBytes: minutesInAMonth * platformLogBytes,
    }),
    SQS: feeds * pollers * pollsAMinute * minutesInAMonth * prices.emptyReceive,
    'Secrets Manager': secrets * prices.secretMonth,
    'X-Ray': minutesInAMonth * prices.trace,
    'Alarms, metrics and dashboard': watched * prices.alarmMetric + dashboards * prices.dashboard,
  };

  /** What notifications cost, each received at the first attempt, with what is stored of them. */
  function ofNotifications(count: number, { messagesInARequest, messagesInABatch }: Load): Dollars {
    const [requests, batches] = [count / messagesInARequest, count / messagesInABatch];
    const ingesting = requests * seconds.ingestion * gigabytesOf('ReceiveEvents');
    const delivering = batches * seconds.delivering(messagesInABatch) * gigabytesOf('DeliverNotifications');
    const logged = requests * (accessLog + loggedBytes(requestLine)) + (requests + batches) * platformLogBytes;
    return {
      ...dollarsOf({
        apiRequests: requests,
        invocations: requests + batches,
        gigabyteSeconds: ingesting + delivering,
        // One call sends the messages of a request. Lambda receives and deletes each batch with one call each.
        queueRequests: requests + 2 * batches,
        writeUnits: itemWrites * count,
        readUnits: requests,
        secretRequests: 0,
        loggedBytes: logged,
        sentBytes: count * notificationPostBytes + requests * eventResponseBytes,
      }),
      'Logs, kept': (logged / 1e9) * compression * monthsOfLogs * prices.keptLogGigabyte,
      'Table, kept for 30 days': ((count * itemBytes) / 1e9) * (keptDays / daysInAMonth) * prices.storedGigabyte,
    };
  }

  return {
    facts: { alarms: alarms.length, watched, counted, secrets, feeds, monthsOfLogs },
    idle,
    ofAMillion: (load: Load) => ofNotifications(million, load),
    /** A million requests of an operation. Traces, of which X-Ray takes some, are not included. */
    ofRequests: ({ name, seconds, responseBytes, readUnits, writeUnits }: OperationUse): Dollars =>
      dollarsOf({
        ...nothing,
        apiRequests: million,
        invocations: million,
        gigabyteSeconds: million * seconds * gigabytesOf(name),
        readUnits: million * readUnits,
        writeUnits: million * writeUnits,
        loggedBytes: million * (accessLog + loggedBytes(requestLine) + platformLogBytes),
        sentBytes: million * responseBytes,
      }),
    /** A month with so many notifications a second, the idle month included. */
    ofAMonth(perSecond: number, load: Load): Dollars {
      const processes = Math.ceil((perSecond / load.messagesInARequest) * seconds.ingestion);
      return sumOf(idle, ofNotifications(perSecond * minutesInAMonth * 60, load), {
        'Secrets Manager': processes * secretReadsAMonth * prices.secretRequest,
        'Alarms, metrics and dashboard': counted * prices.customMetric,
      });
    },
  };
}

const nothing: Usage = {
  apiRequests: 0,
  invocations: 0,
  gigabyteSeconds: 0,
  queueRequests: 0,
  writeUnits: 0,
  readUnits: 0,
  secretRequests: 0,
  loggedBytes: 0,
  sentBytes: 0,
};

export const total = (dollars: Dollars): number => Object.values(dollars).reduce((sum, amount) => sum + amount, 0);

function sumOf(...parts: readonly Dollars[]): Dollars {
  const names = new Set(parts.flatMap((part) => Object.keys(part)));
  return Object.fromEntries([...names].map((name) => [name, parts.reduce((sum, part) => sum + (part[name] ?? 0), 0)]));
}

function metricsOf({ MetricName, Metrics = [] }: { MetricName?: unknown; Metrics?: unknown }): number {
  if (MetricName !== undefined) return 1;
  return (Metrics as { MetricStat?: unknown }[]).filter(({ MetricStat }) => MetricStat).length;
}

const metricOfFilter = ({ MetricTransformations }: Record<string, unknown>) =>
  (MetricTransformations as { MetricName: string }[])[0]?.MetricName;
