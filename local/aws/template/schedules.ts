import * as z from 'zod/mini';
import { physicalName } from './physical-ids.ts';
import type { Resolve } from './resolve.ts';
import { mapResources, referenceTo } from './resources.ts';
import { type Template, TemplateError } from './template.ts';

export interface ScheduleDefinition {
  readonly logicalId: string;
  readonly arn: string;
  readonly functionName: string;
  readonly periodSeconds: number;
}

const secondsOf: Readonly<Record<string, number>> = { minute: 60, hour: 3600, day: 86_400 };

/** The period of a `rate(…)` expression. */
function ratePeriodSeconds(expression: string): number {
  const [, value, unit = ''] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  if (value !== undefined) return Number(value) * (secondsOf[unit] ?? 0);
  throw new TemplateError(`the local world serves rate(…) schedules only, not ${expression}`);
}

const propertiesSchema = z.object({
  ScheduleExpression: z.string(),
  State: z._default(z.enum(['ENABLED', 'DISABLED']), 'ENABLED'),
  Targets: z.array(
    z.object({ Arn: z.string(), Input: z.optional(z.undefined('the local world sends events without an input')) }),
  ),
});

/** The rules of EventBridge that run a function at a rate, without disabled ones. */
export function readSchedules(template: Template, resolve: Resolve): ScheduleDefinition[] {
  return mapResources(
    template,
    resolve,
    'AWS::Events::Rule',
    propertiesSchema,
    ({ logicalId, resource, properties }): ScheduleDefinition[] => {
      if (properties.State === 'DISABLED') return [];
      const target = referenceTo(template, 'AWS::Lambda::Function', resource.Properties.Targets);
      return [
        {
          logicalId,
          arn: String(resolve({ 'Fn::GetAtt': [logicalId, 'Arn'] })),
          functionName: physicalName(template, target),
          periodSeconds: ratePeriodSeconds(properties.ScheduleExpression),
        },
      ];
    },
  ).flat();
}
