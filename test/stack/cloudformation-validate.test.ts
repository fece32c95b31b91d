import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CelEngine, TemplateFile } from '@aws/cloudformation-validate';
import { afterAll, describe, expect, it } from 'vitest';
import { operations } from '#functions/operations.ts';
import { functionsBehind } from '#shared/operations/contract.ts';
import { functionNamed } from '../../support/aws/synthesised-template.ts';
import { synthesise } from './synthesise.ts';

const folder = mkdtempSync(join(tmpdir(), 'messaging-validate-'));
const engine = new CelEngine();
afterAll(() => {
  engine.free();
  rmSync(folder, { recursive: true });
});

describe.each([
  { stage: 'dev', samLocal: 'true' },
  {
    ...{ stage: 'prod', alarmEmail: 'operator@example.com', baseUrl: 'https://api.example.com' },
    ...{ existingTable: 'restored', existingSecret: 'kept' },
  },
])('the template of %j', (context) => {
  const template = synthesise(context);

  it('is valid CloudFormation', () => {
    const file = join(folder, 'template.json');
    writeFileSync(file, JSON.stringify(template));
    expect(errorsOf(file)).toEqual([]);
  });

  it('ends functions before the gateway times out after 30 s', () => {
    for (const { name } of functionsBehind(operations))
      expect(functionNamed(template, name).Properties.Timeout).toBeLessThan(30);
  });
});

it('an invalid template is reported', () => {
  const file = join(folder, 'broken.json');
  writeFileSync(
    file,
    JSON.stringify({ Resources: { Queue: { Type: 'AWS::SQS::Queue', Properties: { Nonsense: 1 } } } }),
  );
  expect(errorsOf(file)).toEqual([expect.stringContaining('Nonsense')]);
});

function errorsOf(file: string): string[] {
  const { status, diagnostics } = engine.validateStandard(new TemplateFile(file));
  expect(status).toBe('OK');
  return diagnostics
    .filter(({ severity }) => severity === 'ERROR' || severity === 'FATAL')
    .map(({ ruleId, entity, propertyPath, message }) => `${ruleId} ${entity?.logicalId} ${propertyPath}: ${message}`);
}
