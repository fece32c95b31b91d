import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { contract as acceptCall } from '#functions/calls/accept-call/contract.ts';
import { contract as hangUpCall } from '#functions/calls/hang-up-call/contract.ts';
import { contract as makeCall } from '#functions/calls/make-call/contract.ts';
import type { Call } from '#local/graph/calls/calls.ts';
import { sdpOf } from '../../support/sdp.ts';
import { it, press, screenshot, talking } from './console-page.ts';

it.afterAll(({ pages }) => pages.endFile());

const params = { number: talking.id };
const entry = (page: Page) => page.locator('.call');
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
    await state(page, 'ringing');
    await press(page, 'Answer');
    await state(page, 'connected');
    await press(page, 'Hang up');
    await state(page, 'ended');

    await entry(page).getByText('Timeline').click();
    for (const text of [
      'Offer',
      'The service asked for connect: 200',
      'Event: connect',
      'Answer',
      'Event: terminate',
    ]) {
      await entry(page).getByRole('listitem').filter({ hasText: text }).first().waitFor();
    }
    await screenshot(page, 'call');
  });

  it('can be rejected on the phone', async ({ pages }) => {
    const contact = '5511900000302';
    const page = await pages.chat(contact);
    await pages.service.api.succeed(makeCall, ring(contact));
    await press(page, 'Reject');
    await state(page, 'rejected');
    expect(await page.getByRole('button', { name: 'Answer' }).count()).toBe(0);
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
