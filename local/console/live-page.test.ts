import { expect, it } from 'vitest';
import { livePage } from './live-page.ts';
import type { ShownDelivery } from './shown-delivery.ts';

const at = '2026-11-26T09:00:00.000000Z';
const addresses = {
  base_url: 'http://localhost:3000',
  public_url: 'https://tunnel.example',
  upstream_url: 'https://graph.facebook.com',
} as Parameters<typeof livePage>[0]['addresses'];

const delivery = (changes: object) =>
  ({
    ...{ id: 'd', subscriber: 'number', target: 'webhook', kind: 'message', subject: 'message · text', created_at: at },
    ...{ state: 'waiting', body: '{"messages":[{"text":{"body":"private"}}]}', next_attempt_at: at },
    attempts: [{ at, duration_ms: 12, status: 500, error: null }],
    ...changes,
  }) as ShownDelivery;

const page = (...deliveries: ShownDelivery[]) =>
  livePage({ addresses, names: new Map([['number', '+1 <555>']]), deliveries, prefix: '', style: '/console.css' });

it('the page of a live world says what became of each delivery, and shows nothing that was written', () => {
  const html = page(delivery({}), delivery({ state: 'sending' }));
  expect(html.match(/<li>/g)).toHaveLength(1);
  expect(html).toContain('message · text → webhook <small class="dim">+1 &lt;555&gt;</small>');
  expect(html).toContain('<span class="badge warn">waiting 500 12 ms</span>');
  expect(html).toContain('next attempt');
  expect(html).not.toContain('private');
});

it('the page of a live world says what to do while nothing was delivered', () => {
  expect(page()).toContain('Nothing has been delivered yet.');
  const steps = livePage({ addresses, names: new Map(), deliveries: [], prefix: '', style: '' });
  expect(steps).toContain('./messaging upstream set --live');
});

it('the page of a live world puts its data folder in front of each command', () => {
  const prefix = 'LOCAL_DATA_DIR=/mine ';
  for (const names of [new Map(), new Map([['number', '+1 555']])]) {
    const html = livePage({ addresses, names, deliveries: [], prefix, style: '' });
    const commands = html.match(/^.*\.\/messaging \w+/gm) ?? [];
    expect(commands.length).toBeGreaterThan(2);
    for (const command of commands) expect(command).toContain('LOCAL_DATA_DIR=/mine ./messaging ');
  }
});
