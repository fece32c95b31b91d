import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { devTemplate, resourcesOfType } from './template.ts';

interface AlarmProperties {
  MetricName?: string;
  Metrics?: { MetricStat?: unknown }[];
}

interface FilterProperties {
  MetricTransformations: { MetricName: string }[];
}

const template = devTemplate();
const guide = readFileSync(join(import.meta.dirname, '../../docs/deploying.md'), 'utf8');
/** A line may end anywhere in a sentence. */
const prose = guide.replaceAll(/\s+/g, ' ');

describe('the cost table', () => {
  it('counts the alarms and the metrics that they watch', () => {
    const alarms = resourcesOfType<AlarmProperties>(template, 'AWS::CloudWatch::Alarm');
    const metrics = alarms.flatMap(({ Properties: { MetricName, Metrics = [] } }) =>
      MetricName ? 1 : Metrics.filter(({ MetricStat }) => MetricStat).map(() => 1),
    );
    const price = (metrics.length * 0.1).toFixed(2);
    expect(guide).toContain(`| Alarms | ${alarms.length}, which look at ${metrics.length} metrics × 0.10 | ${price} |`);
  });

  it('adds up what an idle month costs', () => {
    const [, rows = '', sum] = /Idle, a month:\n([\s\S]*?)\| \*\*Sum\*\* \| \| \*\*([\d.]+)\*\*/.exec(guide) ?? [];
    const prices = [...rows.matchAll(/\| ([\d.]+) \|$/gm)].map(([, price]) => Number(price));
    expect(prices.reduce((total, price) => total + price, 0).toFixed(2)).toBe(sum);
  });

  it('counts the metrics of log filters', () => {
    const filters = resourcesOfType<FilterProperties>(template, 'AWS::Logs::MetricFilter');
    const names = new Set(filters.map(({ Properties }) => Properties.MetricTransformations[0]?.MetricName));
    expect(prose).toContain(`The ${names.size} metrics that are counted in logs`);
  });
});
