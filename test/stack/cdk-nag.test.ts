import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type App, Stack, Validations } from 'aws-cdk-lib';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest';
import { createApp } from '#infra/app.ts';

const outdir = mkdtempSync(join(tmpdir(), 'messaging-nag-'));
// The CDK prints every finding, too.
beforeAll(() => void vi.spyOn(console, 'error').mockReturnValue());
afterAll(() => rmSync(outdir, { recursive: true }));

it('cdk-nag finds nothing in prod that is not acknowledged with a reason', () => {
  const settings = { stage: 'prod', existingTable: 'restored', existingSecret: 'kept' };
  expect(findings(checkedApp({ alarmEmail: 'operator@example.com', ...settings }))).toEqual([]);
});

it('cdk-nag finds nothing in dev but what a careless stack beside it has', () => {
  const app = checkedApp({});
  new Topic(new Stack(app, 'Careless'), 'Topic');
  expect(findings(app)).toEqual(['AwsSolutions-SNS3 Careless/Topic/Resource']);
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
