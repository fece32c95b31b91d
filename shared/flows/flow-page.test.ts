import { describe, expect, it } from 'vitest';
import { UpstreamError } from '#shared/base/upstream-error.ts';
import { sizeInResponse } from '#shared/http/response-body.ts';
import { draft, type FakeFlowOptions, fakeFlowDependencies, now } from '#support/fakes/fake-flow-context.ts';
import type { FlowRecord } from './flow.ts';
import { readFlowPage } from './flow-page.ts';

/** Flows with these texts as their JSON, oldest first. */
const flowsOf = (...texts: string[]): FlowRecord[] =>
  texts.map((text, index) => ({
    ...draft,
    id: `018f0000-0000-7000-8000-${String(index).padStart(12, '0')}`,
    wa_id: String(index),
    json: { text },
  }));

const jsonOf = (bytes: number, filler = 'x') => JSON.stringify({ filler: filler.repeat(bytes) });
const numbers = (flows: { flow: FlowRecord }[]) => flows.map(({ flow }) => Number(flow.wa_id));

async function page(flows: FlowRecord[], limit: number, query = {}, options: FakeFlowOptions = {}) {
  const { context } = fakeFlowDependencies({ ...options, flows });
  const read = await readFlowPage({ workspace: draft.workspace, ...query }, { limit, withJson: true }, context);
  return { numbers: numbers(read.flows), more: read.more, texts: read.flows.map(({ text = '' }) => text) };
}

describe('a page', () => {
  const five = flowsOf('{}', '{}', '{}', '{}', '{}');
  const third = String(five[2]?.id);

  it.each([
    ['all there is', {}, 10, [4, 3, 2, 1, 0], false],
    ['as many as there are', {}, 5, [4, 3, 2, 1, 0], false],
    ['the newest', {}, 2, [4, 3], true],
    ['those older than a Flow', { from: { flow: third, towards: 'older' } }, 2, [1, 0], false],
    ['some of those older', { from: { flow: third, towards: 'older' } }, 1, [1], true],
    ['those newer, newest first', { from: { flow: third, towards: 'newer' } }, 2, [4, 3], false],
    ['the next newer', { from: { flow: third, towards: 'newer' } }, 1, [3], true],
  ])('contains the right Flows: %s', async (_, query, limit, expected, more) => {
    expect(await page(five, limit, query)).toMatchObject({ numbers: expected, more });
  });

  it('skips Flows that the upstream has not accepted, and does not count them', async () => {
    const unborn = five.map(({ wa_id, ...flow }, index) => (index % 2 ? { wa_id: String(wa_id), ...flow } : flow));
    expect(await page(unborn as FlowRecord[], 2)).toMatchObject({ numbers: [3, 1], more: false });
  });

  it('skips a Flow that is deleted while the page is read', async () => {
    const gone = five.map((flow, index) => (index === 3 ? { ...flow, json: { blob: 'gone', bytes: 1 } } : flow));
    expect(await page(gone, 10)).toMatchObject({ numbers: [4, 2, 1, 0], more: false });
  });
});

describe('the size of a page', () => {
  it('ends before its body would pass 5 MB', async () => {
    const { numbers: shown, more, texts } = await page(flowsOf(...Array(8).fill(jsonOf(1_000_000))), 100);
    expect(shown).toEqual([7, 6, 5, 4]);
    expect(more).toBe(true);
    expect(Buffer.byteLength(texts.join())).toBeLessThan(5_000_000);
  });

  it('the size of a page counts bytes, not characters', async () => {
    expect((await page(flowsOf(...Array(8).fill(jsonOf(500_000, 'é'))), 100)).numbers).toEqual([7, 6, 5, 4]);
  });

  it('counts quotation marks as escaped in the response, so that the response fits', async () => {
    const quoted = JSON.stringify({ filler: Array(200_000).fill('') });
    const { numbers: shown, texts } = await page(flowsOf(...Array(12).fill(quoted)), 100);
    expect(shown.length).toBeGreaterThan(3);
    expect(texts.map(sizeInResponse).reduce((a, b) => a + b)).toBeLessThan(6 * 1024 * 1024);
  });

  it('counts the members around the JSON', async () => {
    const flows = flowsOf(...Array(700).fill('{}'));
    const { numbers: shown, more } = await page(flows, 1_000);
    expect(shown.length).toBeLessThan(700);
    expect(more).toBe(true);
  });

  it('leaves room for at least one Flow, and the list continues after it', async () => {
    const flows = flowsOf('{}', jsonOf(5_500_000), '{}');
    expect(await page(flows, 100)).toMatchObject({ numbers: [2], more: true });
    const from = { flow: String(flows[2]?.id), towards: 'older' };
    expect(await page(flows, 100, { from })).toMatchObject({ numbers: [1], more: true });
  });

  it('is limited in the same way towards newer Flows', async () => {
    const flows = flowsOf('{}', ...Array(6).fill(jsonOf(1_000_000)));
    const from = { flow: String(flows[0]?.id), towards: 'newer' };
    expect(await page(flows, 100, { from })).toMatchObject({ numbers: [4, 3, 2, 1], more: true });
  });
});

describe('abandoned changes', () => {
  const abandoned = (flow: FlowRecord): FlowRecord => ({
    ...flow,
    pending: { lease: 'gone', started_at: now - 120_000, change: 'publish' },
  });

  it('are reconciled before the Flow is shown, and its status is compared afterwards', async () => {
    const flows = flowsOf('{}', '{}').map(abandoned);
    const reported = { status: 'PUBLISHED' };
    expect((await page(flows, 10, { status: 'PUBLISHED' }, { reported })).numbers).toEqual([1, 0]);
    expect((await page(flows, 10, { status: 'DRAFT' }, { reported })).numbers).toEqual([]);
  });

  it('do not prevent the list from being shown if the upstream is unavailable', async () => {
    const get = async () => {
      throw new UpstreamError('unreachable', 'No');
    };
    expect((await page(flowsOf('{}', '{}').map(abandoned), 10, {}, { upstream: { get } })).numbers).toEqual([1, 0]);
  });
});

describe('a page without JSON', () => {
  const large = { blob: 'flows/large.json', bytes: 4_000_000 };
  const flows = flowsOf('{}', '{}', '{}').map((flow) => ({ ...flow, json: large }));

  it('reads no text, and so has room for all Flows', async () => {
    const { context } = fakeFlowDependencies({ flows });
    const unread = async () => {
      throw new Error('A text is read');
    };
    const flowJson = { ...context.flowJson, read: unread, readAll: unread };
    const query = { workspace: draft.workspace };
    const read = await readFlowPage(query, { limit: 10, withJson: false }, { ...context, flowJson });
    expect(read).toEqual({ flows: flows.toReversed().map((flow) => ({ flow })), more: false });
    expect(await readFlowPage(query, { limit: 2, withJson: false }, { ...context, flowJson })).toMatchObject({
      more: true,
    });
  });
});
