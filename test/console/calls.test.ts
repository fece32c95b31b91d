import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { acceptCall, hangUpCall, makeCall } from '#functions/calls/contracts.ts';
import type { Call } from '#local/graph/calls/calls.ts';
import { sdpOf } from '../../support/sdp.ts';
import { findingsIn } from '../browser/reading.ts';
import { it, press, talking } from './console-page.ts';

it.afterAll(({ pages }) => pages.endFile());

const params = { number: talking.id };
const entry = (page: Page) => page.locator('.call');
const ringing = (page: Page) => page.getByRole('dialog', { name: 'Incoming call from Acme' });
const state = (page: Page, text: string) => entry(page).getByText(text, { exact: true }).waitFor();

describe('a call of the business', () => {
  const ring = (to: string) => {
    const sdp = sdpOf('offer');
    return { params, body: { to, connection: { webrtc: { sdp } }, session: { sdp, sdp_type: 'offer' } } };
  };

  it('rings on the phone, is answered and hung up there, and shows its timeline', async ({ pages }) => {
    const contact = '5511900000301';
    const page = await pages.chat(contact);
    await pages.service.api.succeed(makeCall, ring(contact));
    await ringing(page).getByRole('alert').waitFor();
    await press(ringing(page), 'Answer');
    await state(page, 'connected');
    await page.getByRole('region', { name: 'Call', exact: true }).getByText('Incoming call: connected').waitFor();
    await press(page, 'Hang up');
    await state(page, 'ended');

    await entry(page).getByText('Timeline').click();
    for (const text of [
      'Offer from the business',
      'The service asked for connect: 200',
      'Event: connect',
      'Answer from the contact',
      'Event: terminate',
    ]) {
      await entry(page).getByRole('listitem').filter({ hasText: text }).first().waitFor();
    }
    const offer = entry(page).locator('.timeline > li').filter({ hasText: 'Offer from the business' });
    await offer.getByText('Nothing is wrong with this SDP.').waitFor();
  });

  it('keeps ringing in its chat after Escape, gives the focus back, and rings out', async ({ pages }) => {
    const contact = '5511900000305';
    const page = await pages.chat(contact);
    const field = page.getByLabel('Message', { exact: true });
    await field.focus();
    await pages.service.api.succeed(makeCall, ring(contact));
    await ringing(page).waitFor();
    await expect.poll(() => ringing(page).evaluate((dialog) => dialog.matches(':focus'))).toBe(true);
    expect(await findingsIn(page, 'html')).toEqual([]);
    await page.keyboard.press('Escape');
    await ringing(page).waitFor({ state: 'detached' });
    await expect.poll(() => field.evaluate((element) => element.matches(':focus'))).toBe(true);
    await state(page, 'ringing');
    await press(page, 'Let it ring out');
    await state(page, 'not answered');
  });
});

it('a call of the contact rings until the business accepts it, and the business ends it', async ({ pages }) => {
  const contact = '5511900000303';
  const page = await pages.chat(contact);
  await press(page, 'Call');
  await state(page, 'ringing');
  const { data } = await pages.service.simulate<{ data: Call[] }>('calls');
  const call_id = String(data.find((call) => call.contact === contact)?.id);
  await pages.service.api.succeed(acceptCall, { params, body: { call_id, sdp: sdpOf('answer') } });
  await state(page, 'connected');
  await pages.service.api.succeed(hangUpCall, { params, body: { call_id } });
  await state(page, 'ended');
});
