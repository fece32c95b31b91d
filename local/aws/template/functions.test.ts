import { describe, expect, it } from 'vitest';
import { functionResource, resolverOf, roleResource, templateFolder, templateOf } from '#support/aws/template.ts';
import { readFunctions } from './functions.ts';

const read = (resources: Parameters<typeof templateOf>[0]) => {
  const template = templateOf({ Role: roleResource, ...resources });
  return readFunctions(template, resolverOf(template));
};

describe('readFunctions', () => {
  it('reads what a process needs', () => {
    const environment = { Variables: { TABLE: { Ref: 'Table' }, LEVEL: 'info' } };
    const [definition] = read({
      Table: { Type: 'AWS::DynamoDB::GlobalTable' },
      ListFlows1A2B: functionResource('ListFlows', {
        Timeout: 10,
        MemorySize: 512,
        ReservedConcurrentExecutions: 4,
        Environment: environment,
      }),
    });
    expect(definition).toEqual({
      logicalId: 'ListFlows1A2B',
      name: 'ListFlows',
      assetFolder: templateFolder,
      handler: 'index.handler',
      timeoutSeconds: 10,
      memoryMegabytes: 512,
      environment: { TABLE: 'Table', LEVEL: 'info' },
      role: 'Role',
      reservedConcurrency: 4,
    });
  });

  it.each([
    ['its FunctionName', functionResource('Consume', { FunctionName: 'consume' }), 'consume'],
    ['the construct in the stack', functionResource('Consume'), 'Consume'],
    ['the logical id of a deeper construct', functionResource('Delivery/Consume'), 'Consume1A2B'],
  ])('names a function after %s', (_, resource, name) => {
    expect(read({ Consume1A2B: resource })[0]?.name).toBe(name);
  });

  it.each([
    [
      'a variable that cannot be resolved',
      functionResource('F', { Environment: { Variables: { A: { Ref: 'Nope' } } } }),
      'cannot resolve Ref "Nope"',
    ],
    ['no code on this machine', { ...functionResource('F'), Metadata: {} }, 'aws:asset:path'],
    [
      'code that is missing',
      { ...functionResource('F'), Metadata: { 'aws:asset:path': 'asset.gone' } },
      'its code is missing',
    ],
    ['another runtime', functionResource('F', { Runtime: 'python3.13' }), 'Runtime'],
    ['no role', functionResource('F', { Role: 'arn:aws:iam::1:role/x' }), 'AWS::IAM::Role'],
  ])('names the function in the error for %s', (_, resource, reason) => {
    expect(() => read({ Broken: resource })).toThrow(/^Broken \(AWS::Lambda::Function\): /);
    expect(() => read({ Broken: resource })).toThrow(reason);
  });
});
