import { setTimeout as delay } from 'node:timers/promises';
import { newId } from '#shared/base/ids.ts';
import { hubSignature, hubSignatureHeader } from '#shared/domain/signing/hub-signature.ts';
import type { Target } from '#shared/domain/subscribers/target.ts';
import { pickFrom } from '#support/random.ts';
import type { Customer } from './customers.ts';
import type { Address, Ledger } from './ledger.ts';
import type { SoakWorld } from './soak-world.ts';

/** An upstream request and the notifications that it must cause. */
interface UpstreamPost {
  customer: Customer;
  body: string;
  items: string[];
}

const contact = { profile: { name: 'Kerry Fisher' }, wa_id: '16505551234' };

/**
 * Simulates the upstream: sends messages and statuses, one or many per request, and repeats requests that did not get a
 * 200.
 */
export function createEventSender(world: SoakWorld, ledger: Ledger, random: () => number) {
  const unanswered: UpstreamPost[] = [];
  const figures = { requests: 0, rejected: 0 };

  /** Returns whether the service accepted the request. */
  async function post(upstreamPost: UpstreamPost): Promise<boolean> {
    const { customer, body } = upstreamPost;
    // The URLs must not change between the moment when the service reads them and the moment when we do.
    return customer.alone(async () => {
      const addresses = addressesOf(upstreamPost);
      ledger.offer(addresses);
      figures.requests += 1;
      const status = await send(world, body);
      if (status === 200) ledger.acknowledge(addresses);
      else {
        figures.rejected += 1;
        unanswered.push(upstreamPost);
      }
      return status === 200;
    });
  }

  return {
    figures,

    async run(customers: readonly Customer[], stop: AbortSignal): Promise<void> {
      while (!stop.aborted) {
        const again = random() < 0.5 ? unanswered.shift() : undefined;
        const accepted = await post(again ?? newPost(pickFrom(customers, random), random));
        await delay(accepted ? random() * 120 : 500);
      }
    },

    /** Repeats requests until the service has accepted all of them. */
    async finish(): Promise<void> {
      for (let next = unanswered.shift(); next; next = unanswered.shift()) {
        if (!(await post(next))) await delay(500);
      }
    },
  };
}

function addressesOf({ customer, items }: UpstreamPost): Address[] {
  const targets = (['webhook', 'secondary_webhook'] as const).filter((target: Target) => customer.urls[target]);
  return targets.flatMap((target) => items.map((item) => ({ number: customer.number.id, target, item })));
}

function newPost(customer: Customer, random: () => number): UpstreamPost {
  const count = random() < 0.7 ? 1 : 2 + Math.floor(random() * 9);
  const timestamp = String(Math.floor(Date.now() / 1000));
  const id = () => `wamid.soak.${newId()}`;
  const metadata = { display_phone_number: '15550000000', phone_number_id: customer.number.phone_number_id };
  const value = { messaging_product: 'whatsapp', metadata, contacts: [contact] };
  const inBody = (members: object) =>
    JSON.stringify({
      object: 'whatsapp_business_account',
      entry: [{ id: '100000000000001', changes: [{ field: 'messages', value: { ...value, ...members } }] }],
    });
  if (random() < 0.3) {
    const statuses = Array.from({ length: count }, () => ({
      id: id(),
      status: pickFrom(['sent', 'delivered', 'read'], random),
      timestamp,
      recipient_id: contact.wa_id,
    }));
    return { customer, body: inBody({ statuses }), items: statuses.map((status) => `${status.id} ${status.status}`) };
  }
  // One in a hundred is too large for a queue message.
  const text = random() < 0.01 ? 'x'.repeat(300_000) : 'Is the appointment on Thursday at ten still free? ✓';
  const messages = Array.from({ length: count }, () => ({
    from: contact.wa_id,
    id: id(),
    timestamp,
    type: 'text',
    text: { body: text },
  }));
  return { customer, body: inBody({ messages }), items: messages.map((message) => message.id) };
}

/** Returns the status of the response, if there was one. */
async function send(world: SoakWorld, body: string): Promise<number | undefined> {
  const { base_url, app_secret } = world.description();
  try {
    const response = await fetch(`${base_url}/v2/messaging/events`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [hubSignatureHeader]: hubSignature(body, app_secret) },
      body,
      signal: AbortSignal.timeout(30_000),
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return undefined;
  }
}
