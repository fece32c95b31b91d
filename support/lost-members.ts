import { isObject } from '#shared/base/json.ts';
import { splitEvents } from '#shared/ingestion/events.ts';
import { workspaceFields } from '#shared/ingestion/ingest.ts';

/** A member of a webhook body that holds no others. */
interface Leaf {
  /** Without the positions in lists: `entry.changes.value.messages.text.body`. */
  readonly path: string;
  readonly name: string;
  readonly value: unknown;
  /** The change that it is in. */
  readonly change: Change;
}

interface Change {
  readonly field?: unknown;
  readonly value?: unknown;
}

interface Removal {
  readonly what: string;
  readonly path: RegExp;
  /** In any change without this condition. */
  readonly only?: (change: Change, value: unknown) => boolean;
}

const ofNumber = ({ field }: Change) => field === 'messages' || field === 'calls';

const hasStatus =
  (wanted: (status: unknown) => boolean) =>
  ({ value }: Change) =>
    isObject(value) &&
    Array.isArray(value.statuses) &&
    value.statuses.some((item) => isObject(item) && wanted(item.status));

/** All that notifications lack on purpose. */
export const removedByDesign: readonly Removal[] = [
  { what: 'the envelope', path: /^(?!entry\.changes\.value\.)/ },
  { what: 'the number, which the receiver knows', path: /\.value\.(messaging_product|metadata)\b/, only: ofNumber },
  {
    what: 'members of an error besides `code`, `title`, `details` and `href`',
    path: /\.errors\.(?!(code|title|details|href|error_data\.details)$)/,
    only: ofNumber,
  },
  { what: 'the contact of a failed status', path: /\.value\.contacts\./, only: hasStatus((one) => one === 'failed') },
  {
    what: 'errors of a status that is not failed',
    path: /\.statuses\.errors\./,
    only: hasStatus((one) => one !== 'failed'),
  },
  {
    what: 'short-lived addresses of files',
    path: /\.(image|document|audio|video|sticker|voice|call_recording|call_transcript|call_transcription)\.(url|link|file)$/,
  },
  {
    what: 'null and empty lists beside clicks, which workspaces get one by one',
    path: /^entry\.changes\.value\.\w+$/,
    only: ({ value }, member) =>
      isObject(value) && 'user_actions' in value && (member === null || JSON.stringify(member) === '[]'),
  },
  { what: 'captions of audio, which WhatsApp does not show', path: /\.audio\.caption$/, only: ofNumber },
];

/**
 * The members of a webhook body that reach neither a notification nor the webhook of a workspace, although they should.
 * The number is one of this service. What has the id of something earlier in the body is a repeat, and delivered once.
 */
export function lostMembers(body: unknown): string[] {
  const arrived = new Set(deliveredTexts(body).flatMap((text) => leavesOf(JSON.parse(text)).map(identity)));
  return leavesOf(body)
    .filter((leaf) => !arrived.has(identity(leaf)) && !isRemoved(leaf))
    .map(({ path, value }) => `${path} = ${JSON.stringify(value)}`);
}

/** The notifications that numbers and workspaces get from a body. */
export function deliveredTexts(body: unknown): string[] {
  const events = splitEvents(body, Date.UTC(2026, 10, 20));
  const subscriber = { active: true };
  const numbers = { get: () => ({ subscriber }) } as unknown as Parameters<typeof workspaceFields>[1];
  const forNumbers = events.filter((event) => 'notification' in event);
  const delivered = [
    ...forNumbers.map(({ key, notification }) => [`number ${key}`, JSON.stringify(notification)] as const),
    ...workspaceFields(events, numbers).flatMap((event) =>
      event.kind === 'field' ? [[`workspace ${event.key}`, event.text] as const] : [],
    ),
  ];
  // Of two with one id, the first one counts.
  return [...new Map(delivered.toReversed()).values()].toReversed();
}

const isRemoved = ({ path, change, value }: Leaf) =>
  removedByDesign.some((removal) => removal.path.test(path) && (removal.only?.(change, value) ?? true));

/** Numbers and texts of the same characters count as equal: times in numbers become texts. */
const identity = ({ name, value }: Leaf) =>
  `${name} = ${typeof value === 'number' ? String(value) : typeof value === 'string' ? value : JSON.stringify(value)}`;

function leavesOf(value: unknown, path: readonly string[] = [], change: Change = {}): Leaf[] {
  const members: [string | undefined, unknown][] = Array.isArray(value)
    ? value.map((item) => [undefined, item])
    : isObject(value)
      ? Object.entries(value)
      : [];
  if (members.length === 0) return [{ path: path.join('.'), name: path.at(-1) ?? '', value, change }];
  return members.flatMap(([name, member]) => {
    const here = name === undefined ? path : [...path, name];
    const isChange = path.join('.') === 'entry.changes' && name === undefined && isObject(member);
    return leavesOf(member, here, isChange ? member : change);
  });
}
