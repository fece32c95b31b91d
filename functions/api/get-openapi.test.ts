import { describe, expect, it } from 'vitest';
import { operations } from '#functions/operations.ts';
import { send } from '#support/aws/http-event.ts';
import { mark } from '#support/deployment.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { makeHandler } from './get-openapi.ts';

captureLog();

const handler = makeHandler({ baseUrl: 'https://messaging.example.com', now: Date.now, mark });

describe('get-openapi', () => {
  it('describes every operation of this service without a token', async () => {
    const { status, json } = await send(handler);
    expect(status).toBe(200);
    expect(json).toMatchObject({ openapi: '3.1.0', servers: [{ url: 'https://messaging.example.com' }] });
    const described = Object.entries<object>(json.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described.toSorted()).toEqual(operations.map(({ method, path }) => `${method} ${path}`).toSorted());
  });

  it('contains every schema that it references', async () => {
    const { text, json } = await send(handler);
    const names = [...(text ?? '').matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name);
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) expect(Object.keys(json.components.schemas)).toContain(name);
  });
});
