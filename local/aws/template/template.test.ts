import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readTemplate, TemplateError } from './template.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'template-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function read(template: unknown) {
  const file = join(folder, 'Stack.template.json');
  await writeFile(file, JSON.stringify(template));
  return readTemplate(file);
}

describe('readTemplate', () => {
  it('reads resources, and records where the assets are', async () => {
    const template = await read({ Resources: { Queue: { Type: 'AWS::SQS::Queue' } } });
    expect(template.folder).toBe(folder);
    expect(template.resources.get('Queue')).toEqual({ Type: 'AWS::SQS::Queue', Properties: {}, Metadata: {} });
  });

  it.each([
    'AWS::CDK::Metadata',
    'AWS::CloudWatch::Alarm',
    'AWS::Lambda::Permission',
    'AWS::Logs::LogGroup',
    'Custom::X',
  ])('ignores %s, even under a condition', async (Type) => {
    await expect(read({ Resources: { Extra: { Type, Condition: 'X' } } })).resolves.toBeDefined();
  });

  it('names the resource that it cannot serve', async () => {
    const resources = { Cluster: { Type: 'AWS::ECS::Cluster' } };
    await expect(read({ Resources: resources })).rejects.toThrow(
      new TemplateError('Cluster (AWS::ECS::Cluster): the local world cannot serve this type of resource'),
    );
  });

  it('readTemplate rejects a conditional resource', async () => {
    const resources = { Queue: { Type: 'AWS::SQS::Queue', Condition: 'IsProduction' } };
    await expect(read({ Resources: resources })).rejects.toThrow('Queue (AWS::SQS::Queue)');
  });

  it('reports a file that is not a template', async () => {
    await expect(read({ resources: {} })).rejects.toThrow('is not a CloudFormation template');
  });
});
