import { maxBytes } from '../../media/kinds.ts';

/** One of Meta's limits. */
export interface Limit {
  /** What is limited, for people. */
  readonly of: string;
  readonly min?: number;
  readonly max: number;
  /** What is counted. Absent for a number that is the value itself. */
  readonly unit?: 'characters' | 'line breaks' | 'rows' | 'items' | 'bytes';
  /** The page that states it, below `limitPages`. Empty if the limit follows from the thing itself. */
  readonly page: string;
}

export const limitPages = 'https://developers.facebook.com/documentation/business-messaging/whatsapp/';

const reference = 'reference/whatsapp-business-phone-number/message-api';
const products = 'catalogs/sell-products-and-services/share-products';
const carousel = 'messages/interactive-media-carousel-messages';
const list = 'messages/interactive-list-messages';
const buttons = 'messages/interactive-reply-buttons-messages';
const callButton = 'calling/call-button-messages-deep-links';
const timeToLive = 'direct-send/configure-message-ttl';
const media = 'business-phone-numbers/media';
const characters = 'characters';

/**
 * The limits of messages. The checks read this table, `limits.test.ts` sends a message at each limit and one beyond it,
 * and docs/simulated-upstream.md lists it.
 */
export const limits = {
  text: { of: '`text.body`', max: 4096, unit: characters, page: 'messages/text-messages' },
  caption: { of: 'the caption of media', max: 1024, unit: characters, page: 'messages/image-messages' },
  body: { of: 'the body of an interactive message', max: 1024, unit: characters, page: buttons },
  header: { of: 'the header of an interactive message', max: 60, unit: characters, page: buttons },
  footer: { of: 'the footer of an interactive message', max: 60, unit: characters, page: buttons },
  buttons: { of: 'reply buttons', min: 1, max: 3, unit: 'items', page: buttons },
  buttonId: { of: 'the id of a reply button', max: 256, unit: characters, page: buttons },
  buttonTitle: { of: 'the title of a reply button', max: 20, unit: characters, page: buttons },
  listBody: { of: 'the body of a list', max: 4096, unit: characters, page: list },
  listButton: { of: 'the button of a list', max: 20, unit: characters, page: list },
  sections: { of: 'the sections of a list', min: 1, max: 10, unit: 'items', page: list },
  sectionTitle: { of: 'the title of a section', max: 24, unit: characters, page: list },
  rows: { of: 'the rows of all sections of a list', min: 1, max: 10, unit: 'rows', page: list },
  rowId: { of: 'the id of a row', max: 200, unit: characters, page: list },
  rowTitle: { of: 'the title of a row', max: 24, unit: characters, page: list },
  rowDescription: { of: 'the description of a row', max: 72, unit: characters, page: list },
  urlButtonText: {
    of: 'the text of a `cta_url` button',
    max: 20,
    unit: characters,
    page: 'messages/interactive-cta-url-messages',
  },
  flowButtonText: { of: '`flow_cta`', max: 30, unit: characters, page: reference },
  callButtonText: { of: 'the text of a `voice_call` button', max: 20, unit: characters, page: callButton },
  callButtonMinutes: { of: '`ttl_minutes` of a `voice_call` button', min: 1, max: 43_200, page: callButton },
  callButtonPayload: { of: 'the payload of a `voice_call` button', max: 512, unit: characters, page: callButton },
  pinCode: {
    of: '`in_pin_code` of an address message',
    max: 6,
    unit: characters,
    page: 'messages/address-messages',
  },
  products: { of: 'the products of a `product_list`', min: 1, max: 30, unit: 'items', page: products },
  productSections: { of: 'the sections of a `product_list`', min: 1, max: 10, unit: 'items', page: reference },
  cards: { of: 'the cards of a carousel', min: 2, max: 10, unit: 'items', page: carousel },
  cardIndex: {
    of: '`card_index`',
    min: 0,
    max: 9,
    page: 'messages/interactive-product-carousel-messages',
  },
  cardBody: { of: 'the body of a card', max: 160, unit: characters, page: carousel },
  cardLines: { of: 'the body of a card', max: 2, unit: 'line breaks', page: carousel },
  cardButtonText: { of: 'the text of a button of a card', max: 20, unit: characters, page: carousel },
  cardReplyId: { of: 'the id of a quick reply of a card', max: 256, unit: characters, page: carousel },
  contacts: { of: '`contacts`', min: 1, max: 257, unit: 'items', page: 'messages/contacts-messages' },
  latitude: { of: 'a latitude', min: -90, max: 90, page: '' },
  longitude: { of: 'a longitude', min: -180, max: 180, page: '' },
  pinDays: { of: '`pin.expiration_days`', min: 1, max: 30, page: 'groups/groups-messaging' },
  templateButton: {
    of: 'the `index` of a button of a template',
    min: 0,
    max: 9,
    page: 'templates/components',
  },
  utilitySeconds: {
    of: '`ttl_seconds` of a message with the category `utility`',
    min: 30,
    max: 43_200,
    page: timeToLive,
  },
  authenticationSeconds: {
    of: '`ttl_seconds` of a message with the category `authentication`',
    min: 30,
    max: 900,
    page: timeToLive,
  },
  callbackData: { of: '`biz_opaque_callback_data`', max: 512, unit: characters, page: 'calling/reference' },
  imageSize: { of: 'an image', max: maxBytes.image, unit: 'bytes', page: media },
  audioSize: { of: 'audio', max: maxBytes.audio, unit: 'bytes', page: media },
  videoSize: { of: 'a video', max: maxBytes.video, unit: 'bytes', page: media },
  documentSize: { of: 'a document', max: maxBytes.document, unit: 'bytes', page: media },
  stickerSize: { of: 'a sticker', max: maxBytes.sticker, unit: 'bytes', page: media },
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof limits;

/** Which numbers the limit allows. */
export function rangeOf(name: LimitName): { readonly min: number; readonly max: number } {
  return { min: Number.NEGATIVE_INFINITY, ...limits[name] };
}

/** The limit as a phrase: "at most 20 characters", "1 to 30". */
export function phraseOf(name: LimitName): string {
  const { min, max, unit }: Limit = limits[name];
  const counted = unit === undefined ? '' : ` ${unit}`;
  return min === undefined ? `at most ${grouped(max)}${counted}` : `${grouped(min)} to ${grouped(max)}${counted}`;
}

function grouped(value: number): string {
  return value.toLocaleString('en-US');
}
