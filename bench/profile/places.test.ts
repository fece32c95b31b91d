import { expect, it } from 'vitest';
import { ownerOf } from './places.ts';

it.each([
  ['node_modules/@smithy/core/dist-es/a.js', 'AWS SDK'],
  ['node_modules/@aws-sdk/client-s3/node_modules/uuid/index.js', 'uuid'],
  ['node_modules/@middy/core/index.js', '@middy/core'],
  ['node_modules/zod/v4/core/a.js', 'zod'],
  ['node-builtins:node:http', 'Node'],
  ['shared/domain/flows/flow.ts', 'our shared/domain'],
  ['functions/flows/get-flow/handler.ts', 'our functions'],
])('the report names the owner of a source: %s', (source, owner) => {
  expect(ownerOf(source)).toBe(owner);
});
