import { appSecrets } from '#shared/domain/access/upstream-credentials.ts';
import { ensureKeys } from '#shared/domain/flow-keys/key-ring.ts';
import { registerKey } from '#shared/domain/flow-keys/register-key.ts';
import { provenApp } from '../platform/proven-app.ts';
import { Rejection } from '../terminal/errors.ts';
import { describeFailure } from '../terminal/failures.ts';
import type { Finding, Fix } from './check.ts';
import { type AppFacts, commonAppOf, type Facts, ifKnown } from './facts.ts';

/** What became of one fix. */
export interface FixOutcome {
  what: string;
  /** Why it failed. */
  failure?: string;
}

/** Applies each fix once, one after the other. A failure does not keep the others from being applied. */
export async function applyFixes(findings: readonly Finding[], facts: Facts): Promise<FixOutcome[]> {
  const fixes = new Map(findings.flatMap(({ fix }) => (fix ? [[JSON.stringify(fix), fix] as const] : [])));
  const outcomes: FixOutcome[] = [];
  for (const fix of fixes.values()) {
    const what = describe(fix, facts);
    try {
      await apply(fix, facts);
      outcomes.push({ what });
    } catch (error) {
      outcomes.push({ what, failure: describeFailure(error) });
    }
  }
  return outcomes;
}

function describe(fix: Fix, { apps, deployment, numbers }: Facts): string {
  switch (fix.kind) {
    case 'subscribe-account':
      return `subscribe the app to the business account ${fix.wabaId}`;
    case 'subscribe-app':
      return describeSubscription(fix.fields, present(apps[fix.app]), deployment.callback);
    case 'register-key': {
      const shown = numbers.find(({ number }) => number.id === fix.number)?.number.display_phone_number;
      return `register the Flow key of the workspace for ${shown ?? fix.number}`;
    }
  }
}

/** Only what is missing: the fix sends the other fields along, because the platform replaces them all. */
function describeSubscription(fields: readonly string[], { subscription }: AppFacts, callback: string | undefined) {
  const current = ifKnown(subscription);
  const missing = fields.filter((field) => !current?.fields.includes(field));
  const isSent = Boolean(current?.callback_url) && current?.active !== false;
  return [
    ...(missing.length > 0 ? [`subscribe the app to ${missing.join(', ')}`] : []),
    ...(isSent ? [] : [`send the app's events to ${callback}`]),
  ].join(', and ');
}

async function apply(fix: Fix, { at, apps, deployment, numbers }: Facts): Promise<void> {
  switch (fix.kind) {
    case 'subscribe-account':
      return present(apps[fix.app]).set.upstream.management.subscribeAccount(fix.wabaId);
    case 'subscribe-app':
      return subscribeApp(present(apps[fix.app]), fix.fields, deployment.callback);
    case 'register-key': {
      const { number, app } = present(numbers.find((one) => one.number.id === fix.number));
      const { flowKeys, encryption } = present(apps[app]).set.upstream;
      const keys = await ensureKeys(number.workspace, { flowKeys, now: () => at });
      return registerKey(number, keys, encryption);
    }
  }
}

/** A fix names only what is among the facts. */
function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The fix is about something that was not read');
  return value;
}

/** The app keeps its callback, which is the service's; without one, it gets that. */
async function subscribeApp(app: AppFacts, fields: readonly string[], url: string | undefined): Promise<void> {
  const id = present(commonAppOf(app)).id;
  const { management, credentials } = app.set.upstream;
  const stored = await credentials();
  if (!stored.verify_token) throw new Rejection('No verify token is stored.');
  const proven = await provenApp(management, id, appSecrets(stored));
  if (!proven) throw new Rejection(`The app secret is no longer that of the app ${id}.`);
  await management.subscribeApp(proven, { url: present(url), verifyToken: stored.verify_token }, fields);
}
