import { fieldsFor, type OwnField, ownFields } from '../../connect/fields.ts';
import type { Subscription } from '../../platform/objects.ts';
import type { AppFacts } from '../facts/apps.ts';
import { type Finding, type Judgement, notice, ok, unknownBecause, wrong } from '../finding.ts';
import { list } from '../words.ts';

/** What is lost without the fields that the service itself reads. */
const fieldUse: Readonly<Record<OwnField, string>> = {
  messages: 'messages and statuses do not arrive',
  calls: 'calls do not arrive',
  flows: 'the service does not hear when the platform throttles or blocks a Flow',
};

/** Compares the fields that the app gets with those that `connect` would subscribe it to. */
export function judgeFields(
  subscription: Subscription | undefined,
  app: AppFacts,
  help: Pick<Finding, 'command' | 'fix'>,
): Judgement[] {
  if (subscription === undefined) return [unknownBecause('the app has no subscription')];
  const isMissing = (field: string) => !subscription.fields.includes(field);
  const isNeeded = { messages: true, calls: app.hasCalling, flows: app.hasFlows };
  const ownMissing = ownFields.filter(isMissing).map((field) => {
    const text = `The app is not subscribed to the field ${field}: ${fieldUse[field]}.`;
    return isNeeded[field] ? wrong(text, help) : notice(text, help);
  });
  const named = app.webhooks.filter(({ events }) => events !== undefined);
  const wanted = wantedFields(app).filter((field) => isMissing(field) && !isOwnField(field));
  const namedMissing = wanted.filter((field) => named.some((webhook) => fieldsFor(webhook).includes(field)));
  const others = wanted.filter((field) => !namedMissing.includes(field));
  const missing = [
    ...ownMissing,
    ...namedMissing.map((field) =>
      wrong(`The app is not subscribed to the field ${field}, which the webhook of a workspace names.`, help),
    ),
    ...(others.length === 0
      ? []
      : [
          notice(`The webhook of a workspace gets all events, but the app is not subscribed to ${list(others)}.`, help),
        ]),
  ];
  return missing.length === 0 ? [ok(list(subscription.fields))] : missing;
}

/** What `connect` subscribes the app to: the fields of the service, and what the webhooks of workspaces want. */
export const wantedFields = ({ webhooks }: AppFacts): string[] => [
  ...new Set([...ownFields, ...webhooks.flatMap((webhook) => fieldsFor(webhook))]),
];

const isOwnField = (field: string) => ownFields.some((own) => own === field);
