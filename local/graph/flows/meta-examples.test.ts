import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SealedEndpoint, startSealedEndpoint } from '#support/flows/sealed-endpoint.ts';
import {
  assetForm,
  endpointFlowJson,
  phoneNumberId,
  startTestUpstream,
  validFlowJson,
  wabaId,
} from '#support/worlds/simulated-graph.ts';

/**
 * The requests and responses on Meta's pages "Flows API" and "Implementing your endpoint", below
 * https://developers.facebook.com/docs/whatsapp/flows/, and in https://github.com/WhatsApp/WhatsApp-Flows-Tools,
 * postman/v1: their members, with values of our own.
 */

let upstream: Awaited<ReturnType<typeof startTestUpstream>>;
let endpoint: SealedEndpoint;
let answer: unknown;
beforeAll(async () => {
  upstream = await startTestUpstream();
  endpoint = await startSealedEndpoint(({ action }) => (action === 'ping' ? { data: { status: 'active' } } : answer));
});
afterAll(() => Promise.all([upstream.close(), endpoint.close()]));

const text = expect.any(String);
const done = { success: true };
const graph = async (method: string, path: string, body?: Record<string, unknown> | FormData | URLSearchParams) =>
  (await upstream.graph(method, path, body)).json;

describe('the Flows API', () => {
  it('creates and publishes a Flow, with what is wrong in its Flow JSON', async () => {
    const flow = { name: 'My first flow', categories: ['OTHER'], flow_json: validFlowJson, publish: true };
    expect(await graph('POST', `/${wabaId}/flows`, flow)).toMatchObject({ id: text, success: true });
    const faulty = JSON.parse(validFlowJson);
    faulty.screens[0].layout.children[0].type = 'Foter';
    expect(
      await graph('POST', `/${wabaId}/flows`, {
        name: 'With a fault',
        categories: ['OTHER'],
        flow_json: JSON.stringify(faulty, null, 2),
      }),
    ).toMatchObject({
      id: text,
      success: true,
      validation_errors: expect.arrayContaining([
        {
          error: 'INVALID_PROPERTY_VALUE',
          error_type: 'FLOW_JSON_ERROR',
          message: "Invalid value found for property 'type'.",
          line_start: expect.any(Number),
          line_end: expect.any(Number),
          column_start: expect.any(Number),
          column_end: expect.any(Number),
          pointers: [
            {
              line_start: expect.any(Number),
              line_end: expect.any(Number),
              column_start: expect.any(Number),
              column_end: expect.any(Number),
              path: 'screens[0].layout.children[0].type',
            },
          ],
        },
      ]),
    });
  });

  it('has the life of a Flow in the forms of the Postman collection', async () => {
    const form = new FormData();
    form.set('name', 'In forms');
    form.set('categories', '["OTHER"]');
    form.set('endpoint_uri', 'https://example.com');
    const { id } = await graph('POST', `/${wabaId}/flows`, form);
    const named = new FormData();
    named.set('name', 'Renamed');
    named.set('categories', '["SURVEY"]');
    expect(await graph('POST', `/${id}`, named)).toEqual(done);
    expect(await graph('POST', `/${id}/assets`, assetForm(validFlowJson))).toEqual({ ...done, validation_errors: [] });
    expect(await graph('GET', `/${id}/assets`)).toEqual({
      data: [{ name: 'flow.json', asset_type: 'FLOW_JSON', download_url: text }],
      paging: { cursors: { before: text, after: text } },
    });
    const fields =
      'id,name,categories,status,validation_errors,json_version,data_api_version,endpoint_uri,health_status';
    expect(await graph('GET', `/${id}?fields=${fields}`)).toMatchObject({
      id,
      name: 'Renamed',
      categories: ['SURVEY'],
      status: 'DRAFT',
      validation_errors: [],
      json_version: '7.3',
      endpoint_uri: 'https://example.com',
      health_status: {
        can_send_message: text,
        entities: expect.arrayContaining([
          expect.objectContaining({ entity_type: 'FLOW', id, can_send_message: text }),
          expect.objectContaining({ entity_type: 'WABA', id: wabaId, can_send_message: text }),
        ]),
      },
    });
    expect(await graph('POST', `/${id}/publish`)).toEqual(done);
    expect(await graph('POST', `/${id}/deprecate`)).toEqual(done);
    const draft = await upstream.createFlow({ name: 'To delete' });
    expect(await graph('GET', `/${wabaId}/flows`)).toMatchObject({
      data: expect.arrayContaining([
        { id: draft, name: 'To delete', status: 'DRAFT', categories: ['OTHER'], validation_errors: [] },
      ]),
      paging: { cursors: { before: text, after: text } },
    });
    expect(await graph('DELETE', `/${draft}`)).toEqual(done);
  });
});

describe('the endpoint of a Flow', () => {
  it.each<[what: string, request: Record<string, unknown>, answer: object]>([
    [
      'data_exchange, with the next screen',
      { action: 'data_exchange', screen: 'SCREEN_NAME', data: { prop_1: 'value_1' }, flow_token: 'FLOW-TOKEN' },
      { screen: 'SCREEN_NAME', data: { property_1: 'value_1' } },
    ],
    [
      'data_exchange, with a message',
      { action: 'data_exchange', screen: 'SCREEN_NAME', data: {}, flow_token: 'FLOW-TOKEN' },
      { screen: 'SCREEN_NAME', data: { error_message: 'ERROR-MESSAGE' } },
    ],
    [
      'data_exchange, with the final response',
      { action: 'data_exchange', screen: 'SCREEN_NAME', data: {}, flow_token: 'FLOW-TOKEN' },
      {
        screen: 'SUCCESS',
        data: { extension_message_response: { params: { flow_token: 'FLOW-TOKEN', optional_param1: 'value1' } } },
      },
    ],
    ['INIT', { action: 'INIT', flow_token: 'FLOW-TOKEN' }, { screen: 'SCREEN_NAME', data: {} }],
    [
      'BACK',
      { action: 'BACK', screen: 'SCREEN_NAME', data: {}, flow_token: 'FLOW-TOKEN' },
      { screen: 'SCREEN_NAME', data: {} },
    ],
    [
      'an error notification',
      {
        action: 'INIT',
        data: { error: 'invalid-screen-transition', error_message: 'ERROR-MESSAGE' },
        flow_token: 'FLOW-TOKEN',
      },
      { data: { acknowledged: true } },
    ],
  ])('gets %s', async (_, request, expected) => {
    const key = { business_public_key: endpoint.publicKey };
    const keys = `/${phoneNumberId}/whatsapp_business_encryption`;
    expect(await graph('POST', keys, new URLSearchParams(key))).toEqual(done);
    expect(await graph('GET', keys)).toEqual({ data: [{ ...key, business_public_key_signature_status: 'VALID' }] });
    const id = await upstream.createFlow({ flow_json: endpointFlowJson, endpoint_uri: endpoint.url });
    answer = expected;
    const { json } = await upstream.control('POST', `/flows/${id}/exchange`, {
      ...request,
      phone_number_id: phoneNumberId,
    });
    expect(endpoint.opened.at(-1)).toEqual({ version: '3.0', ...request });
    expect(json).toMatchObject({ status: 200, answer: expected });
  });
});
