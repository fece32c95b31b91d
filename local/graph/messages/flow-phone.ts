import * as z from 'zod/mini';
import { parseJson } from '#shared/base/json.ts';
import { type BusinessNumber, findNumber } from '../core/accounts.ts';
import type { Platform } from '../core/platform.ts';
import { buildEvent } from '../events/events.ts';
import type { EndpointRequest, EndpointResponse, Endpoints } from '../flows/endpoints.ts';
import type { Flow } from '../flows/flows.ts';
import type { FlowStore } from '../flows/store.ts';
import { ControlError } from '../http/control-route.ts';
import type { FlowFiles, PhoneFile } from '../media/flow-files.ts';
import { type FlowOpening, findFlow, flowOfTemplate, flowParametersOf } from './flow-message.ts';
import type { SentMessage } from './message.ts';
import type { Templates } from './templates.ts';

/** What the phone of the contact shows of a Flow. */
export interface FlowView {
  readonly flow_id: string;
  readonly flow_token: string;
  readonly screen: string | null;
  readonly data: unknown;
  /** The last response of the endpoint. Null before the first. */
  readonly exchange: EndpointResponse | null;
}

/** What the phone needs to open the Flow of a message by itself. */
export interface OpenableFlow extends Omit<FlowOpening, 'flow_id' | 'flow_name'> {
  readonly flow_id: string;
  readonly flow_json: string | null;
}

/** A message with a Flow as it arrived on the phone of its contact. */
interface ArrivedFlow {
  readonly number: BusinessNumber;
  readonly opening: FlowOpening;
  readonly flow: Flow;
}

export interface FlowPhoneOptions {
  readonly platform: Platform;
  readonly flows: FlowStore;
  readonly templates: Templates;
  readonly endpoints: Endpoints;
  readonly files: FlowFiles;
}

const screenSchema = z.object({ screen: z.string(), data: z.optional(z.unknown()) });
const finalSchema = z.object({
  extension_message_response: z.object({ params: z.record(z.string(), z.unknown()) }),
});
const flowJsonSchema = z.object({ screens: z.array(z.object({ id: z.string() })) });

/** Plays the phones of contacts who open the Flows of messages, fill them in and send the final response. */
export class FlowPhone {
  readonly #options: FlowPhoneOptions;
  readonly #open = new Map<string, FlowView>();

  constructor(options: FlowPhoneOptions) {
    this.#options = options;
  }

  /** What the button of the message opens, and how. */
  look(message: SentMessage): OpenableFlow {
    const { flow, opening } = this.#arrived(message);
    const { flow_token, flow_action, flow_action_payload } = opening;
    return { flow_id: flow.id, flow_json: flow.flow_json, flow_token, flow_action, flow_action_payload };
  }

  /** Taps the button of the message. Only `data_exchange` asks the endpoint for the first screen. */
  async open(message: SentMessage): Promise<FlowView> {
    const { flow, opening } = this.#arrived(message);
    const { flow_token, flow_action, flow_action_payload: payload } = opening;
    const closed: FlowView = { flow_id: flow.id, flow_token, screen: null, data: null, exchange: null };
    if (flow_action === 'data_exchange') return this.#ask(message, closed, { action: 'INIT' });
    return this.#show(message, {
      ...closed,
      screen: payload?.screen ?? firstScreen(flow),
      data: payload?.data ?? null,
    });
  }

  /** Picks a file on a screen. What this returns belongs in the list that is the value of the picker. */
  pick(message: SentMessage, file: PhoneFile) {
    this.#arrived(message);
    return this.#options.files.pick(file);
  }

  /** Sends what was typed on a screen, by default the one that is shown, to the endpoint. */
  async exchange(message: SentMessage, request: Omit<EndpointRequest, 'flow_token'>): Promise<FlowView> {
    const view = await this.#opened(message);
    const data = this.#options.files.forEndpoint(request.data ?? {});
    return this.#ask(message, view, { screen: view.screen ?? undefined, ...request, data });
  }

  /** Sends the final response: the given one, or the one that the endpoint gave with its last screen. */
  async complete(message: SentMessage, response: Readonly<Record<string, unknown>> | undefined) {
    const { platform, files } = this.#options;
    const { population, announce, now } = platform;
    const { number, flow, opening } = this.#arrived(message);
    const view = this.#open.get(message.id);
    const typed = response && files.forMessage(response, number.phoneNumberId);
    const params = typed ?? z.safeParse(finalSchema, view?.data).data?.extension_message_response.params ?? {};
    const response_json = JSON.stringify({ flow_token: opening.flow_token, ...params });
    const reply = buildEvent(
      {
        type: 'nfm_reply',
        contact: population.memberOf(message.contact),
        context: { from: number.phoneNumber, id: message.id },
        interactive: { type: 'nfm_reply', nfm_reply: { name: 'flow', body: 'Sent', response_json } },
      },
      number,
      now(),
    );
    this.#open.delete(message.id);
    announce(reply);
    return { flow_id: flow.id, message: message.id, response_json };
  }

  async #opened(message: SentMessage): Promise<FlowView> {
    return this.#open.get(message.id) ?? this.open(message);
  }

  async #ask(message: SentMessage, view: FlowView, request: Omit<EndpointRequest, 'flow_token'>): Promise<FlowView> {
    const { flow } = this.#arrived(message);
    const { flow_token } = view;
    const exchange = await this.#options.endpoints.ask(flow, { ...request, flow_token }, message.phone_number_id);
    const next = exchange.status === 200 ? z.safeParse(screenSchema, exchange.answer).data : undefined;
    const shown = next === undefined ? view : { ...view, screen: next.screen, data: next.data ?? null };
    return this.#show(message, { ...shown, exchange });
  }

  #show({ id }: SentMessage, view: FlowView): FlowView {
    this.#open.set(id, view);
    return view;
  }

  /** Throws a 409 if the contact cannot open the message. */
  #arrived(message: SentMessage): ArrivedFlow {
    const opening = this.#openingOf(message);
    if (opening === undefined) throw new ControlError(409, 'The message has no Flow');
    const failure = message.statuses.find(({ status }) => status === 'failed');
    if (failure !== undefined) throw new ControlError(409, `The message did not arrive: ${failure.code}`);
    const number = findNumber(this.#options.platform.accounts, message.phone_number_id);
    const flow = number && findFlow(this.#options.flows, number.wabaId, opening);
    if (number === undefined || flow === undefined) throw new ControlError(409, 'The Flow does not exist any more');
    if (flow.status === 'BLOCKED') throw new ControlError(409, 'The Flow is blocked');
    return { number, opening, flow };
  }

  #openingOf({ type, content }: SentMessage): FlowOpening | undefined {
    if (type !== 'template') return flowParametersOf(content);
    const template = this.#options.templates.of(content);
    return template && flowOfTemplate(template, content);
  }
}

/** Meta opens the first screen of the Flow JSON if the message names none. */
function firstScreen({ flow_json }: Flow): string | null {
  return z.safeParse(flowJsonSchema, parseJson(flow_json ?? '')).data?.screens[0]?.id ?? null;
}
