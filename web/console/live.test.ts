import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Live } from './live.ts';

/** Stands for the stream of changes. */
class FakeEventSource {
  static last: FakeEventSource | undefined;
  onopen: () => void = () => undefined;
  onmessage: (event: { data: string }) => void = () => undefined;
  onerror: () => void = () => undefined;

  constructor() {
    FakeEventSource.last = this;
  }

  send(topic: string, key: string, value?: unknown): void {
    this.onmessage({ data: JSON.stringify({ topic, key, value }) });
  }
}

const emptyState = { world: {}, receiver: {}, requests: [], events: [], received: [], deliveries: [], targets: [] };

/** Responses to the requests for the console's state, in their order. */
let states: PromiseWithResolvers<Response>[];
let live: Live;
let stream: FakeEventSource;

const respond = (place: number, state: object = emptyState) => states[place]?.resolve(Response.json(state));
const messages = () => [...(live.snapshot?.messages.keys() ?? [])];

beforeEach(() => {
  states = [];
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  vi.stubGlobal('EventSource', FakeEventSource);
  vi.stubGlobal('requestAnimationFrame', queueMicrotask);
  vi.stubGlobal('fetch', (path: string) => {
    if (path !== '/console/state') return Promise.resolve(Response.json({ data: [] }));
    const state = Promise.withResolvers<Response>();
    states.push(state);
    return state.promise;
  });
  live = new Live();
  stream = FakeEventSource.last as FakeEventSource;
  stream.onopen();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('the state that the pages show', () => {
  it('keeps the changes that come while everything is read', async () => {
    stream.send('messages', 'early', { id: 'early' });
    respond(0);
    await vi.waitFor(() => expect(messages()).toEqual(['early']));
    stream.send('messages', 'late', { id: 'late' });
    expect(messages()).toEqual(['early', 'late']);
    stream.send('messages', 'early');
    expect(messages()).toEqual(['late']);
  });

  it('keeps what the latest reading found when the stream came back meanwhile', async () => {
    stream.onopen();
    stream.send('messages', 'new', { id: 'new' });
    respond(1);
    await vi.waitFor(() => expect(messages()).toEqual(['new']));
    respond(0);
    await vi.waitFor(() => expect(messages()).toEqual(['new']));
  });

  it('says that nothing responds, and reads again until something does', async () => {
    states[0]?.resolve(Response.json({ message: 'The console failed.' }, { status: 500 }));
    await vi.waitFor(() => expect(live.trouble).toBe('The console failed.'));
    vi.advanceTimersToNextTimer();
    respond(1);
    await vi.waitFor(() => expect(live.snapshot).toBeDefined());
    expect(live.trouble).toBeUndefined();
  });

  it('ignores topics that it does not know', async () => {
    respond(0);
    await vi.waitFor(() => expect(live.snapshot).toBeDefined());
    stream.send('weather', 'today', 'fine');
    expect(Object.keys(live.snapshot ?? {})).not.toContain('weather');
  });

  it('reads again when a target appears that belongs to a new number', async () => {
    respond(0);
    await vi.waitFor(() => expect(live.snapshot).toBeDefined());
    stream.send('targets', 'number webhook', { subscriber: 'number', target: 'webhook' });
    expect(states).toHaveLength(2);
    respond(1, { ...emptyState, world: { numbers: [{ id: 'number' }] } });
    await vi.waitFor(() => expect(live.snapshot?.world.numbers).toEqual([{ id: 'number' }]));
  });

  it('says that nothing responds if the other world does not start', async () => {
    respond(0);
    await vi.waitFor(() => expect(live.snapshot).toBeDefined());
    stream.send('world', 'world', { restarts: true });
    expect(live.trouble).toContain('Another world is starting');
    vi.advanceTimersByTime(30_000);
    expect(live.trouble).toContain('does not respond');
  });
});
