import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import batchSizes from '#docs/write/batch-sizes.json' with { type: 'json' };
import { shortestPlay, simulateBatchSizes } from '#docs/write/batch-sizes.ts';
import { costTable, loads, withCosts } from '#docs/write/costs.ts';
import { deploymentCosts, total } from '#docs/write/deployment-costs.ts';
import { prodTemplate, resourcesOfType } from '../../support/aws/synthesised-template.ts';

const template = prodTemplate();
const guide = readFileSync(join(import.meta.dirname, '../../docs/deploying.md'), 'utf8');
const costs = deploymentCosts(template);

describe('the costs in docs/deploying.md', () => {
  it('are what `npm run costs` writes', () => {
    expect(guide).toBe(withCosts(guide, costTable(template)));
  });

  it('use the batches that `npm run batch-sizes` finds', async () => {
    const { perSecond } = shortestPlay;
    const written = batchSizes.find((sizes) => sizes.perSecond === perSecond);
    expect(await simulateBatchSizes(shortestPlay)).toEqual(written);
  });

  it('have the headlines that the README repeats', () => {
    const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8').replaceAll(/\s+/g, ' ');
    const about = (dollars: number) => `about $${Math.round(dollars)}`;
    const singly = about(total(costs.ofAMillion(loads.singly)));
    expect(readme).toContain(`A million notifications, one at a time, cost [${singly}](docs/deploying.md#cost)`);
    expect(readme).toContain(`costs ${about(total(costs.idle))} a month while idle`);
  });

  it.each([
    ['one at a time', loads.singly, 7],
    ['in tens', loads.inTens, 3],
  ])('keep the budget of a million notifications that come %s, with logs and data out', (_, load, budget) => {
    expect(total(costs.ofAMillion(load))).toBeLessThanOrEqual(budget);
  });
});

describe('the costs of a template', () => {
  it('follow the alarms, the memory of functions and the secrets', () => {
    const changed = structuredClone(template);
    const alarm = resourcesOfType(changed, 'AWS::CloudWatch::Alarm').find(({ Properties }) => Properties.MetricName);
    const [secret] = resourcesOfType(changed, 'AWS::SecretsManager::Secret');
    for (const resource of [alarm, secret]) delete changed.Resources[String(resource?.logicalId)];
    const deliverNotifications = resourcesOfType<{ MemorySize: number }>(changed, 'AWS::Lambda::Function').find(
      ({ logicalId }) => logicalId.startsWith('DeliverNotifications'),
    );
    const { MemorySize = Number.NaN } = deliverNotifications?.Properties ?? {};
    Object.assign(changed.Resources[String(deliverNotifications?.logicalId)]?.Properties ?? {}, {
      MemorySize: 2 * MemorySize,
    });

    const others = deploymentCosts(changed);
    expect(total(costs.idle) - total(others.idle)).toBeCloseTo(0.1 + 0.4);
    const dearer = total(others.ofAMillion(loads.singly)) - total(costs.ofAMillion(loads.singly));
    expect(dearer).toBeCloseTo(1e6 * 0.25 * (MemorySize / 1024) * 0.0000133334);
  });

  it('are lower the larger the batches are', () => {
    const ofBatches = [1, 4, 10].map((messagesInABatch) =>
      total(costs.ofAMillion({ messagesInARequest: 10, messagesInABatch })),
    );
    expect(ofBatches).toEqual(ofBatches.toSorted((one, other) => other - one));
  });
});
