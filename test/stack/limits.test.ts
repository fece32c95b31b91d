import { beforeAll, describe, expect, it } from 'vitest';
import { deliverNotifications, functions, operations } from '#functions/operations.ts';
import {
  devTemplate,
  functionNamed,
  prodTemplate,
  resourcesOfType,
  type Template,
} from '../../support/aws/synthesised-template.ts';
import { synthesise } from './synthesise.ts';

const dev = devTemplate();
const prod = prodTemplate();

interface Limits {
  ThrottlingRateLimit: number;
  ThrottlingBurstLimit: number;
}

interface StageProperties {
  DefaultRouteSettings: Limits;
  RouteSettings: Record<string, Limits>;
}

const stageOf = (template: Template) => resourcesOfType<StageProperties>(template, 'AWS::ApiGatewayV2::Stage')[0];
const reservedIn = (template: Template, name: string) =>
  functionNamed(template, name).Properties.ReservedConcurrentExecutions;
const allReservedIn = (template: Template) =>
  functions.flatMap(({ name }) => {
    const reserved = reservedIn(template, name);
    return reserved === undefined ? [] : [[name, reserved] as const];
  });

describe.each([
  ['dev', dev],
  ['prod', prod],
])('the limits of %s', (_, template) => {
  const stage = stageOf(template);
  const limitOf = (routeKey: string) => stage?.Properties.RouteSettings[routeKey];
  const shared = stage?.Properties.DefaultRouteSettings.ThrottlingRateLimit ?? Number.NaN;

  it('are separate for routes that other traffic may not block', () => {
    expect(limitOf('POST /v2/messaging/events')?.ThrottlingRateLimit).toBeGreaterThan(shared);
    expect(limitOf('POST /v2/flows/{flow}/endpoint')).toBeDefined();
  });

  it('are low for exchanges of a preview, which anybody may call', () => {
    const limit = limitOf('POST /v2/flows/preview/{preview}/exchange');
    expect(limit?.ThrottlingRateLimit).toBeLessThanOrEqual(shared / 5);
    expect(limit?.ThrottlingBurstLimit).toBeLessThan(100);
  });

  it('refer to existing routes and are created before the stage, as CloudFormation requires', () => {
    const routes = resourcesOfType<{ RouteKey: string }>(template, 'AWS::ApiGatewayV2::Route');
    const dependencies = template.Resources[stage?.logicalId ?? '']?.DependsOn;
    for (const routeKey of Object.keys(stage?.Properties.RouteSettings ?? {})) {
      const route = routes.find(({ Properties }) => Properties.RouteKey === routeKey);
      expect(dependencies).toContain(route?.logicalId);
    }
  });
});

describe('reserved concurrency', () => {
  let on: Template;
  let off: Template;
  beforeAll(() => {
    on = synthesise({ reservedConcurrency: 'on' });
    off = synthesise({ stage: 'prod', reservedConcurrency: 'off' });
  });

  it('keeps capacity in prod for events and deliveries, and limits operations that wait for customers', () => {
    expect(Object.fromEntries(allReservedIn(prod))).toEqual({
      'receive-events': expect.any(Number),
      'deliver-notifications': expect.any(Number),
      'exchange-flow-data': expect.any(Number),
      'exchange-preview-data': expect.any(Number),
    });
  });

  it('is off in dev, and if it is switched off', () => {
    expect(allReservedIn(dev)).toEqual([]);
    expect(allReservedIn(off)).toEqual([]);
    expect(allReservedIn(on)).not.toEqual([]);
  });

  it('suffices for all concurrent batches of the queue', () => {
    for (const template of [on, prod]) {
      const { ScalingConfig } = template.Resources.NotificationFeed?.Properties ?? {};
      const { MaximumConcurrency } = ScalingConfig as { MaximumConcurrency: number };
      expect(MaximumConcurrency).toBeLessThanOrEqual(reservedIn(template, deliverNotifications.name) ?? 0);
    }
  });

  it('leaves most of an ordinary quota of 1,000 free', () => {
    const total = allReservedIn(prod).reduce((sum, [, reserved]) => sum + reserved, 0);
    expect(total).toBeLessThanOrEqual(500);
  });
});

it('an operation has only the limits that its contract requests', () => {
  const limited = operations.filter(({ traffic }) => traffic).map(({ method, path }) => `${method} ${path}`);
  expect(Object.keys(stageOf(dev)?.Properties.RouteSettings ?? {}).sort()).toEqual(limited.sort());
});
