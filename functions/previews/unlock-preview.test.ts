import { describe, expect, it } from 'vitest';
import { newId } from '#shared/base/ids.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { now } from '#support/fakes/fake-flow-context.ts';
import { baseUrl, previewWorld, secret } from '#support/flows/preview-world.ts';
import { makeHandler } from './unlock-preview.ts';

const log = captureLog();

/** As API Gateway hands forms on: in base64. */
function give(
  world: ReturnType<typeof previewWorld>,
  guess: string,
  { preview = world.id, url = baseUrl }: { preview?: string; url?: string } = {},
) {
  return world.request(makeHandler({ ...world.dependencies, baseUrl: url }), {
    pathParameters: { preview },
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: Buffer.from(new URLSearchParams({ secret: guess }).toString()).toString('base64'),
    isBase64Encoded: true,
  });
}

describe('unlock-preview', () => {
  it('redirects to the page after the right secret, with a cookie that expires with the preview', async () => {
    const world = previewWorld();
    const { status, headers, text } = await give(world, secret);
    expect([status, text, headers.location]).toEqual([303, '', `/v2/flows/preview/${world.id}`]);
    expect(headers['set-cookie']).toMatch(
      new RegExp(`^__Host-preview-${world.id}=[\\w-]{43}; Path=/; Max-Age=3600; HttpOnly; SameSite=Strict; Secure$`),
    );
  });

  it('sets a cookie that browsers also accept without https', async () => {
    const world = previewWorld();
    const { headers } = await give(world, secret, { url: 'http://localhost:3000' });
    expect(headers['set-cookie']).toMatch(new RegExp(`^preview-${world.id}=`));
    expect(headers['set-cookie']).not.toContain('Secure');
  });

  it('shows the form again for a wrong secret', async () => {
    const { status, headers, text } = await give(previewWorld(), '543210');
    expect(status).toBe(403);
    expect(text).toContain('role="alert"');
    expect(text).not.toContain('543210');
    expect(headers).not.toHaveProperty('set-cookie');
  });

  it('returns the same page for unknown, expired and invalidated previews', async () => {
    const world = previewWorld();
    const missing = await Promise.all([
      give(world, secret, { preview: newId() }),
      give(previewWorld({}, { valid_until: now }), secret),
      give(previewWorld({ preview_generation: 1 }, { generation: 0 }), secret),
    ]);
    expect(new Set(missing.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(missing[0]?.status).toBe(404);
  });

  it('logs neither secret nor session', async () => {
    const world = previewWorld();
    const { headers } = await give(world, secret);
    const session = String(headers['set-cookie']).split(/[=;]/)[1];
    expect(JSON.stringify(log)).not.toMatch(new RegExp(`${secret}|${session}`));
  });
});
