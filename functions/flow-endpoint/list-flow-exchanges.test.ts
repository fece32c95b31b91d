import { describe, expect, it } from 'vitest';
import { newId } from '#shared/base/ids.ts';
import type { ExchangeRecord } from '#shared/flow-endpoint/exchange-record.ts';
import { send } from '#support/aws/http-event.ts';
import { mark } from '#support/deployment.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { caller, fakeAccess, workspace } from '#support/fakes/fake-access.ts';
import { draft, now } from '#support/fakes/fake-flow-context.ts';
import { makeHandler } from './list-flow-exchanges.ts';

captureLog();

const record: ExchangeRecord = {
  at: now,
  preview: null,
  action: 'data_exchange',
  screen: 'DATE',
  reported_error: null,
  answered_screen: null,
  duration_ms: 12,
  status: 500,
  bytes: 7,
  outcome: 'failed',
  fault: 'status',
  findings: [],
};

async function list(changes: Partial<ExchangeRecord>, language = 'en', role: 'owner' | 'member' | null = 'owner') {
  const handler = makeHandler({
    access: fakeAccess({ flows: [draft], role: role ?? undefined }),
    now: () => now,
    mark,
    exchanges: { latest: async (flow, at) => (flow === draft.id && at === now ? [{ ...record, ...changes }] : []) },
  });
  const pathParameters = { workspace: workspace.id, flow: draft.id };
  return send(handler, { caller, pathParameters, headers: { 'accept-language': language } });
}

describe('list-flow-exchanges', () => {
  it('shows owners the facts of each exchange with an explanation', async () => {
    const { status, json } = await list({});
    expect(status).toBe(200);
    expect(json).toEqual({
      data: [
        { ...record, at: '2026-01-31T08:15:30.123000Z', explanation: 'The endpoint returned 500 instead of 200.' },
      ],
    });
  });

  it.each([
    ['status', 'pt', 'O endpoint retornou 500 em vez de 200.'],
    ['refused', 'es', 'Se rechazó la conexión: ningún servidor escucha en ese puerto.'],
    ['timeout', 'en', expect.stringContaining('within 12 ms')],
    [null, 'en', null],
  ] as const)('explains %s in the language asked for: %s', async (fault, language, explanation) => {
    expect((await list({ fault }, language)).json.data[0].explanation).toEqual(explanation);
  });

  it('names every finding of a relayed response, and the preview that made the exchange', async () => {
    const preview = newId();
    const findings = [
      { code: 'wrong-type', path: 'data.slots[0].id', expected: 'string' },
      { code: 'missing-data', path: null, expected: null },
    ] as const;
    const { json } = await list({ fault: 'wrong-type', findings, preview }, 'pt-BR');
    const [wrongType, missing] = [
      'Na resposta, data.slots[0].id não tem o tipo que a tela declara (string). Os telefones podem rejeitá-lo.',
      'Falta … na resposta, e a tela o declara. Os telefones podem não mostrar nada em seu lugar.',
    ];
    expect(json.data).toEqual([
      expect.objectContaining({
        preview,
        explanation: wrongType,
        findings: [
          { ...findings[0], explanation: wrongType },
          { ...findings[1], explanation: missing },
        ],
      }),
    ]);
  });

  it.each(['member', null] as const)('is for owners only, not for a %s', async (role) => {
    expect((await list({}, 'en', role)).status).toBe(403);
  });
});
