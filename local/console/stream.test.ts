import { createServer } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LoopbackServer, listenOnLoopback } from '../aws/base/http/loopback.ts';
import { type ConsoleChange, Stream } from './stream.ts';

let stream: Stream;
let server: LoopbackServer;
let left: () => Promise<unknown>;

beforeEach(async () => {
  stream = new Stream();
  const http = createServer((request, response) => {
    const ended = new Promise((resolve) => request.once('close', resolve));
    left = () => ended;
    stream.follow(request, response, { 'cache-control': 'no-store' });
  });
  server = await listenOnLoopback(http, 0);
});
afterEach(async () => {
  stream.close();
  await server.close();
});

async function follow() {
  const leaving = new AbortController();
  const response = await fetch(server.url, { signal: leaving.signal });
  const chunks = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    response,
    leave: () => leaving.abort(),
    /** The changes so far, once there are so many. */
    async changes(count: number): Promise<ConsoleChange[]> {
      const found = () => [...text.matchAll(/^data: (.*)\n\n/gm)].map(([, json = '']) => JSON.parse(json));
      while (found().length < count) text += (await chunks?.read())?.value ?? '';
      return found();
    },
  };
}

describe('the stream of changes', () => {
  it('sends the changes to every page in the order in which they happen', async () => {
    const [one, other] = await Promise.all([follow(), follow()]);
    expect(one.response.headers.get('content-type')).toBe('text/event-stream');
    expect(one.response.headers.get('cache-control')).toBe('no-store');
    for (const value of [1, { text: 'two\nlines' }, 3]) stream.publish('messages', 'key', value);
    expect((await one.changes(3)).map(({ value }) => value)).toEqual([1, { text: 'two\nlines' }, 3]);
    expect((await other.changes(3)).map(({ value }) => value)).toEqual([1, { text: 'two\nlines' }, 3]);
  });

  it('ends for a page that has all of it', async () => {
    const page = await fetch(server.url);
    stream.publish('world', 'world', { restarts: true });
    stream.close();
    stream.publish('messages', 'key', 1);
    await server.close();
    expect(await page.text()).toMatch(/^data: .*"restarts":true.*\n\n$/m);
  });

  it('is watched only while a page follows', async () => {
    expect(stream.isWatched).toBe(false);
    const page = await follow();
    expect(stream.isWatched).toBe(true);
    page.leave();
    await left();
    expect(stream.isWatched).toBe(false);
    stream.publish('messages', 'key', 1);
  });

  it('keeps the latest requests for pages that open later, each at its first place', () => {
    const request = { status: null as number | null };
    stream.publish('requests', 'first', request);
    stream.publish('requests', 'second', 2);
    request.status = 200;
    expect(stream.kept('requests')).toEqual([{ status: null }, 2]);
    stream.publish('requests', 'first', request);
    expect(stream.kept('requests')).toEqual([{ status: 200 }, 2]);
    for (let i = 0; i < 300; i += 1) stream.publish('requests', String(i), i);
    expect(stream.kept('requests')).toEqual(Array.from({ length: 300 }, (_, i) => i));
  });

  it('tells pages which value is no longer kept', async () => {
    const page = await follow();
    for (let i = 0; i <= 300; i += 1) stream.publish('requests', String(i), i);
    const changes = await page.changes(302);
    expect(changes.slice(300)).toEqual([
      { topic: 'requests', key: '300', value: 300 },
      { topic: 'requests', key: '0' },
    ]);
  });

  it('keeps nothing that the platform keeps itself', () => {
    stream.publish('messages', 'key', 1);
    expect(stream.kept('messages')).toEqual([]);
  });
});
