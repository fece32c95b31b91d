import { describe, expect, it } from 'vitest';
import { prodTemplate } from '../../support/aws/synthesised-template.ts';
import { synthesise } from './synthesise.ts';

it('a deployed template shows the settings that the next deployment is compared with', () => {
  const settings = { alarmEmail: 'operator@example.com', mediaHosts: 'files.example.com', architecture: 'x86_64' };
  expect(Reflect.get(synthesise({ stage: 'trial', ...settings }), 'Metadata').Settings).toMatchObject(settings);
});

describe.each([
  ['dev', synthesise({ stage: 'dev' })],
  ['prod', prodTemplate()],
])('the template of %s', (stage, template) => {
  it('contains no account and no path of the machine that built it', () => {
    const text = JSON.stringify(template);
    expect(text).not.toMatch(/\b\d{12}\b/);
    expect(text).not.toContain(process.cwd());
    expect(text).not.toMatch(/"(file:|\/(home|root|tmp|Users|var)\/)/);
  });

  it("has outputs with the names that the operator's commands need", () => {
    expect(Object.keys(template.Outputs).sort()).toEqual([
      'ApiUrl',
      'BaseUrl',
      'BucketName',
      'CodeVersion',
      'DeadLetterQueueArn',
      'DeadLetterQueueUrl',
      'NotificationQueueUrl',
      'TableName',
      'UpstreamBaseUrl',
      'UpstreamGraphVersion',
      'UpstreamSecretName',
    ]);
    expect(template.Outputs.UpstreamSecretName?.Value).toBe(`messaging/${stage}/upstream`);
  });

  it('has at most 350 of the 500 resources that a stack may have', () => {
    expect(Object.keys(template.Resources).length).toBeLessThanOrEqual(350);
  });
});
