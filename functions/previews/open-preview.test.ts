import { describe, expect, it } from 'vitest';
import { newId } from '#shared/base/ids.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { now } from '#support/fakes/fake-flow-context.ts';
import { previewWorld } from '#support/flows/preview-world.ts';
import { makeHandler } from './open-preview.ts';

const log = captureLog();

const flowJson = '{"version":"7.3","screens":[{"id":"</script><script>alert(1)</script>"}]}';

function open(world: ReturnType<typeof previewWorld>, options: Parameters<typeof world.request>[1] = {}) {
  const read = async () => flowJson;
  return world.request(makeHandler({ ...world.dependencies, flowJson: { read } }), options);
}

describe('open-preview', () => {
  it('shows only the form to anyone without a session', async () => {
    const { status, headers, text } = await open(previewWorld({ name: 'Secret name' }));
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(text).toContain('<form method="post" action="">');
    expect(text).not.toMatch(/Secret name|screens|<script/);
  });

  it('shows the Flow to a browser with a session', async () => {
    const world = previewWorld({ name: 'Appointments' });
    const { status, text } = await open(world, { cookies: ['other=1', world.openSession()] });
    const data = /<script type="application\/json" id="preview-data">(.*)<\/script>\n/.exec(text)?.[1] ?? '';
    expect(status).toBe(200);
    expect(JSON.parse(data)).toMatchObject({
      id: world.id,
      flow_name: 'Appointments',
      texts: { back: 'Back' },
      flow_json: JSON.parse(flowJson),
      findings: expect.arrayContaining([expect.objectContaining({ severity: 'error' })]),
    });
    expect(data).not.toContain('<');
  });

  it('returns the same page for unknown, expired and invalidated previews', async () => {
    const world = previewWorld();
    const missing = await Promise.all([
      open(world, { pathParameters: { preview: newId() } }),
      open(world, { pathParameters: { preview: 'no-uuid' } }),
      open(previewWorld({}, { valid_until: now })),
      open(previewWorld({ preview_generation: 1 }, { generation: 0 })),
    ]);
    expect(new Set(missing.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(missing[0]?.status).toBe(404);
  });

  it('shows the locked page, except to a browser that already has a session', async () => {
    const world = previewWorld({}, { wrong_tries: 100 });
    expect((await open(world)).status).toBe(429);
    expect((await open(world, { cookies: [world.openSession()] })).status).toBe(200);
  });

  it('uses the language of the browser', async () => {
    const { text } = await open(previewWorld(), { headers: { 'accept-language': 'pt-BR' } });
    expect(text).toContain('<html lang="pt-BR">');
    expect(text).toContain('Código de seis dígitos');
  });

  it('lets only our own files run, and forbids caching, framing and indexing', async () => {
    const world = previewWorld();
    for (const { headers } of [await open(world), await open(world, { cookies: [world.openSession()] })]) {
      expect(headers).toMatchObject({
        'content-security-policy':
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-robots-tag': 'noindex',
      });
    }
  });

  it('explains that a Flow is too large for a preview', async () => {
    const world = previewWorld();
    const read = async () => JSON.stringify({ version: '7.3', screens: [], large: 'x'.repeat(6_300_000) });
    const handler = makeHandler({ ...world.dependencies, flowJson: { read } });
    const { status, text } = await world.request(handler, { cookies: [world.openSession()] });
    expect(status).toBe(200);
    expect(text).toContain('too large');
  });

  it('logs no id, session or Flow', async () => {
    const world = previewWorld({ name: 'Secret name' });
    const cookie = world.openSession();
    await open(world, { cookies: [cookie] });
    expect(JSON.stringify(log)).not.toMatch(new RegExp(`${world.id}|${cookie.split('=')[1]}|Secret name`));
  });
});
