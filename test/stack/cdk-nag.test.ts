import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type App, Stack, Validations } from 'aws-cdk-lib';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { createApp } from '#infra/app.ts';

const outdir = mkdtempSync(join(tmpdir(), 'messaging-nag-'));
// The CDK prints every finding, too.
beforeAll(() => void vi.spyOn(console, 'error').mockReturnValue());
afterAll(() => rmSync(outdir, { recursive: true }));

describe('cdk-nag', () => {
  it.each<[string, Record<string, string>]>([
    ['dev', { stage: 'dev' }],
    ['prod', { stage: 'prod' }],
    ['prod with an existing table and secret', { stage: 'prod', existingTable: 'restored', existingSecret: 'kept' }],
  ])('finds nothing in %s that is not acknowledged with a reason', (_, context) => {
    expect(findings(checkedApp({ alarmEmail: 'operator@example.com', ...context }))).toEqual([]);
  });

  it('reports a finding for a careless stack', () => {
    const app = checkedApp({});
    new Topic(new Stack(app, 'Careless'), 'Topic');
    expect(findings(app)).toEqual(['AwsSolutions-SNS3 Careless/Topic/Resource']);
  });
});

function checkedApp(context: Record<string, string>): App {
  const app = createApp({ context, functionsDirectory: inject('functionsDirectory'), outdir });
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
  return app;
}

interface Report {
  pluginReports: {
    violations: { ruleName: string; violatingConstructs: { constructPath: string }[] }[];
  }[];
}

function findings(app: App): string[] {
  try {
    app.synth();
    return [];
  } catch (error) {
    if (!String(error).startsWith('ValidationFailed')) throw error;
  }
  const { pluginReports }: Report = JSON.parse(readFileSync(join(outdir, 'validation-report.json'), 'utf8'));
  return pluginReports.flatMap(({ violations }) =>
    violations.flatMap(({ ruleName, violatingConstructs }) =>
      violatingConstructs.map(({ constructPath }) => `${ruleName} ${constructPath}`),
    ),
  );
}
