import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededCredentials, seededNumbers } from '#local/seed.ts';
import { createEndpointOwner } from '../../support/flows/flow-phone.ts';
import { type SealedEndpoint, startSealedEndpoint } from '../../support/flows/sealed-endpoint.ts';
import { type Previews, startPreviews, type WatchedPage } from './preview-page.ts';
import { finalPayload, title } from './reading.ts';
import { slotsAnswer, slotsFlow } from './slots.ts';

const find = (page: WatchedPage) => page.getByRole('button', { name: 'Find slots' });
const chooseDay = (page: WatchedPage, day: string) => page.getByLabel('Day', { exact: true }).selectOption(day);

describe('an endpoint that holds the key itself', () => {
  let previews: Previews;
  let endpoint: SealedEndpoint;
  beforeAll(async () => {
    [previews, endpoint] = await Promise.all([startPreviews(), startSealedEndpoint(slotsAnswer)]);
  });
  afterAll(async () => {
    await previews.close();
    await endpoint.close();
  });

  /** As the number's owner would. */
  const register = (business_public_key: string) =>
    fetch(`${previews.service.upstreamUrl}/v25.0/${seededNumbers[0]?.phone_number_id}/whatsapp_business_encryption`, {
      method: 'POST',
      headers: { authorization: `Bearer ${seededCredentials.access_token}` },
      body: new URLSearchParams({ business_public_key }),
    });
  const open = () => previews.open(slotsFlow, { flow: { endpoint_url: endpoint.url, endpoint_encrypted: true } });

  it('can read the requests of the page, and the page can read its responses', async () => {
    await register(endpoint.publicKey);
    const page = await open();
    await title(page, 'Choose a day');
    await chooseDay(page, 'tue');
    await find(page).click();
    await title(page, 'Choose a slot');
    await page.getByLabel('9:00').check();
    await page.getByRole('button', { name: 'Book', exact: true }).click();
    await title(page, 'Flow completed');
    expect(await finalPayload(page)).toEqual({ flow_token: 'token', slot: 'early' });

    const token = { version: '3.0', flow_token: expect.stringMatching(/^preview-/) };
    expect(endpoint.opened).toEqual([
      { ...token, action: 'INIT', data: {} },
      { ...token, action: 'data_exchange', screen: 'DAY', data: { day: 'tue' } },
      { ...token, action: 'data_exchange', screen: 'SLOT', data: { slot: 'early' } },
    ]);
    for (const { body, headers } of endpoint.requests) {
      expect(Object.keys(JSON.parse(body))).toEqual(['encrypted_flow_data', 'encrypted_aes_key', 'initial_vector']);
      expect(headers).not.toHaveProperty('x-hub-signature-256');
    }
    expect(page.requested.filter((address) => !address.startsWith(previews.service.baseUrl))).toEqual([]);
    expect(page.troubles).toEqual([]);
  });

  it('that cannot read a request leads to a message on the page', async () => {
    await register((await createEndpointOwner()).publicKey);
    const page = await open();
    await page.getByRole('alert').getByText('its private key does not match').waitFor();
    await page.getByText('There is nothing to show.').waitFor();
    expect(page.troubles).toEqual([]);
  });
});
