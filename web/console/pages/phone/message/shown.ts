import { listOf, type Members, members, textOf } from './read-content.ts';

/** Something that the contact can tap on a message. */
export type Tap =
  /** Answers the business with an event of the contact. */
  | { readonly kind: 'event'; readonly label: string; readonly event: Event }
  | { readonly kind: 'link'; readonly label: string; readonly url: string }
  | { readonly kind: 'copy'; readonly label: string; readonly text: string }
  | { readonly kind: 'choices'; readonly label: string; readonly sections: readonly Section[] }
  | { readonly kind: 'act'; readonly label: string; readonly act: Act }
  /** Does nothing here. */
  | { readonly kind: 'none'; readonly label: string; readonly why: string };

export type Event = Members & { readonly type: string };

/** What a tap does that is not an answer with an event. */
export type Act = 'allow calls' | 'always allow calls' | 'reject calls' | 'share contact' | 'call' | 'open flow';

export interface Section {
  readonly title: string;
  readonly rows: readonly { readonly title: string; readonly description: string; readonly event: Event }[];
}

/** A message with parts, as a person sees it. */
export interface Shown {
  /** The type of the header, `text` or that of a file, and its content. */
  readonly header?: { readonly type: string; readonly content: unknown } | undefined;
  readonly body: string;
  readonly footer?: string;
  /** Names and values, such as the positions of an order. */
  readonly lines?: readonly (readonly [string, string])[];
  /** What the platform would show and the simulated one does not know. */
  readonly note?: string;
  /** A declaration to begin with, if the note is about a template that was not declared. */
  readonly declaration?: object;
  readonly taps: readonly Tap[];
  readonly cards?: readonly Shown[];
}

/** Describes an interactive message from the business. Returns undefined for an unsupported type. */
export function shownInteractive(content: Members): Shown | undefined {
  const action = members(content.action);
  const rest = restOf(textOf(content.type), action);
  if (rest === undefined) return undefined;
  const header = members(content.header);
  return {
    ...(header.type !== undefined && { header: headerOf(header) }),
    body: textOf(members(content.body).text),
    footer: textOf(members(content.footer).text),
    taps: [],
    ...rest,
  };
}

/** The part of an interactive message that depends on its type. */
function restOf(type: string, action: Members): Partial<Shown> | undefined {
  const parameters = members(action.parameters);
  switch (type) {
    case 'button':
      return { taps: listOf(action.buttons).map((button) => replyTap('button_reply', members(button.reply))) };
    case 'list':
      return { taps: [{ kind: 'choices', label: textOf(action.button), sections: rowsOf(action) }] };
    case 'cta_url':
      return { taps: [linkTap(parameters)] };
    case 'flow':
      return { taps: [actTap(textOf(parameters.flow_cta) || 'Open', 'open flow')] };
    case 'location_request_message':
      return { taps: [{ kind: 'event', label: 'Send location', event: { type: 'location' } }] };
    case 'address_message':
      return { taps: [{ kind: 'event', label: 'Provide address', event: addressOf(parameters) }] };
    case 'call_permission_request':
      return {
        taps: [
          actTap('Allow calls', 'allow calls'),
          actTap('Always allow', 'always allow calls'),
          actTap('Do not allow', 'reject calls'),
        ],
      };
    case 'request_contact_info':
      return { taps: [actTap('Share phone number', 'share contact')] };
    case 'voice_call':
      return { taps: [actTap(textOf(parameters.display_text) || 'Call now', 'call')] };
    case 'product':
      return { lines: [['Product', textOf(action.product_retailer_id)]], taps: [orderTap(action)] };
    case 'product_list':
      return { taps: [{ kind: 'choices', label: 'View items', sections: productsOf(action) }] };
    case 'catalog_message':
      return { taps: [orderTap({ product_retailer_id: parameters.thumbnail_product_retailer_id }, 'View catalog')] };
    case 'carousel':
      return { cards: listOf(action.cards).map(cardOf) };
    case 'order_details':
      return { lines: orderLines(parameters), note: 'The simulated platform takes no payments.' };
    case 'order_status':
      return { lines: statusLines(parameters) };
    default:
      return undefined;
  }
}

export function headerOf(header: Members): NonNullable<Shown['header']> {
  const type = textOf(header.type).toLowerCase();
  return { type, content: type === 'text' ? { body: header.text } : header[type] };
}

export const linkTap = ({ display_text, url }: Members): Tap => ({
  kind: 'link',
  label: textOf(display_text) || textOf(url),
  url: textOf(url),
});

const actTap = (label: string, act: Act): Tap => ({ kind: 'act', label, act });

const replyEvent = (type: string, chosen: Members): Event => ({ type, interactive: { type, [type]: chosen } });

const replyTap = (type: string, { id, title }: Members): Tap => ({
  kind: 'event',
  label: textOf(title),
  event: replyEvent(type, { id, title }),
});

function rowsOf({ sections }: Members): Section[] {
  return listOf(sections).map(({ title, rows }) => ({
    title: textOf(title),
    rows: listOf(rows).map((row) => ({
      title: textOf(row.title),
      description: textOf(row.description),
      event: replyEvent('list_reply', row),
    })),
  }));
}

function productsOf({ sections, catalog_id }: Members): Section[] {
  return listOf(sections).map(({ title, product_items }) => ({
    title: textOf(title),
    rows: listOf(product_items).map(({ product_retailer_id }) => ({
      title: textOf(product_retailer_id),
      description: 'Order one',
      event: orderOf({ catalog_id, product_retailer_id }),
    })),
  }));
}

const orderTap = (product: Members, label = 'Order one'): Tap => ({ kind: 'event', label, event: orderOf(product) });

/** Prices are in the catalog, which only the platform has. */
function orderOf({ catalog_id, product_retailer_id }: Members): Event {
  const item = { product_retailer_id: product_retailer_id ?? 'unknown', quantity: 1, item_price: 10, currency: 'USD' };
  return { type: 'order', order: { catalog_id: catalog_id ?? '0', product_items: [item] } };
}

/** An answer with the fields of Meta's page "Address messages". What the business has filled in stays. */
function addressOf(parameters: Members): Event {
  const values = {
    name: 'Ann Example',
    phone_number: '+5511988887777',
    address: '1 Sample Street',
    city: 'Sampletown',
    ...members(parameters.values),
  };
  const body = Object.values(values).join('\n');
  return replyEvent('nfm_reply', { name: 'address_message', body, response_json: JSON.stringify({ values }) });
}

function cardOf(card: Members): Shown {
  const action = members(card.action);
  const header = members(card.header);
  const isProduct = action.product_retailer_id !== undefined;
  const buttons = listOf(action.buttons).map((button) => replyTap('button_reply', members(button.quick_reply)));
  return {
    ...(header.type !== undefined && { header: headerOf(header) }),
    body: isProduct ? textOf(action.product_retailer_id) : textOf(members(card.body).text),
    taps: isProduct ? [orderTap(action)] : buttons.length > 0 ? buttons : [linkTap(members(action.parameters))],
  };
}

function orderLines({ order, currency, total_amount, reference_id }: Members): (readonly [string, string])[] {
  return [
    ['Reference', textOf(reference_id)],
    ...listOf(members(order).items).map(
      ({ name, quantity, amount }) => [`${textOf(quantity)} × ${textOf(name)}`, money(amount, currency)] as const,
    ),
    ['Total', money(total_amount, currency)],
  ];
}

function statusLines({ reference_id, order }: Members): (readonly [string, string])[] {
  const { status, description } = members(order);
  const lines = [
    ['Reference', textOf(reference_id)],
    ['Status', textOf(status).replaceAll('_', ' ')],
    ['Note', textOf(description)],
  ] as const;
  return lines.filter(([, value]) => value !== '');
}

/** An amount of the platform: a whole number and what it is divided by. */
function money(amount: unknown, currency: unknown): string {
  const { value, offset } = members(amount);
  return `${textOf(currency)} ${(Number(value) / Number(offset ?? 100)).toFixed(2)}`;
}
