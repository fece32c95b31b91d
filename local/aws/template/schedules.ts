import * as z from 'zod/mini';
import { parseJson } from '../base/json.ts';
import { physicalName } from './physical-ids.ts';
import { referenceTo } from './references.ts';
import type { Resolve } from './resolve.ts';
import { mapResources } from './resources.ts';
import { type Template, TemplateError } from './template.ts';

export interface ScheduleDefinition {
  readonly logicalId: string;
  readonly arn: string;
  /** `aws.events` for a rule, `aws.scheduler` for a schedule: the `source` of the event. */
  readonly source: 'aws.events' | 'aws.scheduler';
  readonly functionName: string;
  readonly periodSeconds: number;
  /** The event's JSON, where the template fixes it. */
  readonly input?: string;
}

const secondsOf: Readonly<Record<string, number>> = { minute: 60, hour: 3600, day: 86_400 };

/** The period of a `rate(…)` expression. EventBridge wants `1 minute` and `2 minutes`. */
export function ratePeriodSeconds(expression: string): number {
  const [, value, unit, plural] = /^rate\((\d+) (minute|hour|day)(s?)\)$/.exec(expression) ?? [];
  const unitSeconds = secondsOf[unit ?? ''];
  if (value === undefined || unitSeconds === undefined) {
    throw new TemplateError(`the local world serves rate(…) schedules only, not ${expression}`);
  }
  const count = Number(value);
  if (count === 0 || count > 1 !== (plural === 's')) {
    throw new TemplateError(`EventBridge rejects ${expression}: the value is positive, and the unit agrees with it`);
  }
  return count * unitSeconds;
}

const stateSchema = z._default(
  z.enum(['ENABLED', 'DISABLED', 'ENABLED_WITH_ALL_CLOUDTRAIL_MANAGEMENT_EVENTS']),
  'ENABLED',
);
/** `PutTargets` takes this much, and JSON only. */
const inputSchema = z.string().check(
  z.maxLength(8192),
  z.refine((text) => parseJson(text) !== undefined, 'is not JSON'),
);
const targetSchema = z.object({ Arn: z.string(), Input: z.optional(inputSchema) });
const rulePropertiesSchema = z.object({
  ScheduleExpression: z.string(),
  State: stateSchema,
  Targets: z.array(targetSchema),
});
const schedulePropertiesSchema = z.object({ ScheduleExpression: z.string(), State: stateSchema, Target: targetSchema });

interface Scheduled {
  readonly ScheduleExpression: string;
  readonly State: string;
}

function define(
  template: Template,
  resolve: Resolve,
  source: ScheduleDefinition['source'],
  logicalId: string,
  { ScheduleExpression, State: state }: Scheduled,
  targets: readonly { expression: unknown; input: string | undefined }[],
): ScheduleDefinition[] {
  if (state === 'DISABLED') return [];
  return targets.map(({ expression, input }) => ({
    logicalId,
    arn: String(resolve({ 'Fn::GetAtt': [logicalId, 'Arn'] })),
    source,
    functionName: physicalName(template, referenceTo(template, 'AWS::Lambda::Function', expression)),
    periodSeconds: ratePeriodSeconds(ScheduleExpression),
    ...(input !== undefined && { input }),
  }));
}

/** EventBridge rules and EventBridge Scheduler's schedules, without disabled ones. */
export function readSchedules(template: Template, resolve: Resolve): ScheduleDefinition[] {
  const rules = mapResources(
    template,
    resolve,
    'AWS::Events::Rule',
    rulePropertiesSchema,
    ({ logicalId, resource, properties }) => {
      const raw = resource.Properties.Targets;
      const targets = properties.Targets.map((target, index) => ({
        expression: Array.isArray(raw) ? raw[index] : undefined,
        input: target.Input,
      }));
      return define(template, resolve, 'aws.events', logicalId, properties, targets);
    },
  );
  const schedules = mapResources(
    template,
    resolve,
    'AWS::Scheduler::Schedule',
    schedulePropertiesSchema,
    ({ logicalId, resource, properties }) => {
      const target = { expression: resource.Properties.Target, input: properties.Target.Input };
      return define(template, resolve, 'aws.scheduler', logicalId, properties, [target]);
    },
  );
  return [...rules, ...schedules].flat();
}
