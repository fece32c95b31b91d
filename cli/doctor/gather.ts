import { type Limiter, limitTo } from '#shared/base/limiter.ts';
import type { Workspace } from '#shared/domain/accounts/workspace.ts';
import { permitsCalls } from '#shared/domain/accounts/workspace.ts';
import type { DynamicFlow } from '#shared/domain/flow-endpoint/make-exchange.ts';
import type { PhoneNumber } from '#shared/domain/subscribers/number.ts';
import type { DeliverySettings } from '#shared/domain/subscribers/target-store.ts';
import { eventsPath } from '#shared/http/contract/linked-paths.ts';
import { findNumber, findWorkspace } from '../lookup.ts';
import { isInUse, keyUseOf } from '../platform/key-use.ts';
import type { Service } from '../service.ts';
import { readAccount } from './accounts.ts';
import { readApp } from './apps.ts';
import { type DeploymentSources, readDeployment } from './deployment.ts';
import { type CredentialSet, type Facts, openReader, untold } from './facts.ts';
import { readFlow, readWorkspaceKey } from './flows.ts';
import { readNumber } from './numbers.ts';
import { readTargets, type TargetSources } from './targets.ts';

/** Where doctor reads. */
export interface Sources
  extends Omit<DeploymentSources, 'callback' | 'unknownNumbers' | 'now'>,
    Omit<TargetSources, 'deliveries' | 'now'> {
  service: Service;
  /** What the service is called in findings. */
  name: string;
  /** The origin of the service, if it is known. */
  baseUrl: string | undefined;
  /** The credentials of the deployment. */
  deployment: CredentialSet;
  /** The credentials that the service uses for a workspace: always the same object for the same credentials. */
  credentialsOf(workspace: Workspace): CredentialSet;
}

/** A workspace with what of it is to be read. */
interface Scope {
  workspace: Workspace;
  numbers: readonly PhoneNumber[];
  flows: readonly DynamicFlow[];
  /** The targets of the numbers and the workspace. */
  targets: readonly { subject: string; settings: DeliverySettings }[];
}

/** More reads at once would only wait for each other, or reach limits of the platform. */
const readsAtOnce = 8;

/**
 * Reads everything that concerns one number or, without one, the whole deployment with its active numbers. Throws if
 * the table cannot be read; whatever else cannot be read is unknown.
 */
export async function gatherFacts(numberId: string | undefined, sources: Sources): Promise<Facts> {
  const { service, name, deployment, baseUrl } = sources;
  const { now, eventNotes } = service;
  const limited = limitTo(readsAtOnce);
  const reader = openReader(limited);
  const callback = baseUrl === undefined ? undefined : `${baseUrl}${eventsPath}`;
  const scopes = await findScopes(numberId, service, limited);
  const sets = [...new Set([deployment, ...scopes.map(({ workspace }) => sources.credentialsOf(workspace))])];
  const used = sets.filter((set) => set !== deployment || scopes.length === 0 || usersOf(set).length > 0);
  const positionOf = (workspace: Workspace) => used.indexOf(sources.credentialsOf(workspace));

  function usersOf(set: CredentialSet): Scope[] {
    return scopes.filter(({ workspace }) => sources.credentialsOf(workspace) === set);
  }

  const [deploymentFacts, apps, accounts, numbers, flows, targets] = await Promise.all([
    readDeployment(
      name,
      { ...sources, callback, unknownNumbers: () => unknownNumbers(service), now },
      deployment.upstream,
      reader,
    ),
    Promise.all(
      used.map((set, position) => {
        const users = usersOf(set);
        const scope = {
          position,
          wabaIds: [...new Set(users.flatMap(({ workspace }) => workspace.waba_id ?? []))],
          hasCalling: users.some(
            ({ workspace, numbers }) => permitsCalls(workspace) && numbers.some((one) => one.calling_enabled),
          ),
          hasFlows: users.some(({ flows }) => flows.length > 0),
          webhooks: users.flatMap(webhooksOf),
        };
        return readApp(set, scope, callback, deployment.upstream.credentials, reader);
      }),
    ),
    Promise.all(
      accountsOf(scopes, positionOf).map((account) =>
        readAccount(account, (used[account.app] ?? deployment).upstream, reader),
      ),
    ),
    Promise.all(
      scopes.flatMap((scope) =>
        scope.numbers.map((number) => {
          const { workspace } = scope;
          const place = {
            number,
            subject: subjectOf(number),
            wabaId: workspace.waba_id,
            workspaceCalls: permitsCalls(workspace),
            keyUse: keyUseOf(scope.flows),
            app: positionOf(workspace),
          };
          const lastEvent = async () => {
            const note = await eventNotes.get(number.id);
            return note && { at: note.last_event_at, kind: note.kind };
          };
          return readNumber(place, sources.credentialsOf(workspace).upstream, lastEvent, reader);
        }),
      ),
    ),
    Promise.all(
      scopes.flatMap(({ workspace, numbers, flows }) => {
        if (flows.length === 0) return [];
        const { upstream } = sources.credentialsOf(workspace);
        const phoneNumberIds = numbers.map(({ phone_number_id }) => phone_number_id);
        const key =
          phoneNumberIds.length === 0
            ? Promise.resolve(untold('the workspace has no active number, whose key could encrypt a ping'))
            : reader.read(() => readWorkspaceKey(phoneNumberIds, upstream));
        const place = { workspaceName: workspace.name, baseUrl, key };
        return flows.map((flow) => readFlow(flow, place, upstream, reader));
      }),
    ),
    Promise.all(
      scopes.flatMap((scope) =>
        scope.targets.map(({ subject, settings }) =>
          readTargets(settings, subject, { ...sources, deliveries: service.deliveries, now }, reader),
        ),
      ),
    ),
  ]);
  return { at: now(), deployment: deploymentFacts, apps, accounts, numbers, flows, targets: targets.flat() };
}

async function findScopes(numberId: string | undefined, service: Service, limited: Limiter): Promise<Scope[]> {
  if (numberId !== undefined) {
    const number = await findNumber(service, numberId);
    return [await scopeOf(await findWorkspace(service, number.workspace), [number], service, limited)];
  }
  const workspaces = await service.workspaces.list();
  const scopes = await Promise.all(
    workspaces.map(async (workspace) => {
      const numbers = await limited(() => service.numbers.listByWorkspace(workspace.id));
      const active = numbers.filter((number) => number.active);
      return scopeOf(workspace, active, service, limited);
    }),
  );
  return scopes.filter(({ workspace, numbers }) => workspace.waba_id !== null || numbers.length > 0);
}

async function scopeOf(
  workspace: Workspace,
  numbers: PhoneNumber[],
  { flows, targets }: Service,
  limited: Limiter,
): Promise<Scope> {
  const subscribers = [
    ...numbers.map((number) => ({ id: number.id, subject: subjectOf(number) })),
    { id: workspace.id, subject: `Workspace ${workspace.name}` },
  ];
  const [all, settings] = await Promise.all([
    limited(() => Array.fromAsync(flows.list({ workspace: workspace.id }))),
    Promise.all(subscribers.map(({ id }) => limited(() => targets.read(id)))),
  ]);
  return {
    workspace,
    numbers,
    flows: all.filter(isInUse),
    targets: subscribers.flatMap(({ subject }, index) => {
      const own = settings[index];
      return own ? [{ subject, settings: own }] : [];
    }),
  };
}

/** The webhook of the workspace itself. */
const webhooksOf = ({ workspace, targets }: Scope) =>
  targets
    .filter(({ settings }) => settings.subscriber.id === workspace.id)
    .map(({ settings }) => settings.targets.webhook);

/** Workspaces can share an account. */
function accountsOf(scopes: readonly Scope[], positionOf: (workspace: Workspace) => number) {
  const accounts = scopes.flatMap(({ workspace, numbers }) => {
    const { waba_id: wabaId } = workspace;
    if (wabaId === null) return [];
    const number = numbers[0]?.id;
    return {
      wabaId,
      subject: `Business account ${wabaId} (${workspace.name})`,
      workspace: workspace.id,
      number,
      app: positionOf(workspace),
    };
  });
  // One with a number comes last, and so stays: commands need it.
  const withNumberLast = accounts.toSorted((one, other) => Number(!!one.number) - Number(!!other.number));
  return [...new Map(withNumberLast.map((account) => [`${account.app} ${account.wabaId}`, account])).values()];
}

const subjectOf = ({ display_phone_number, id }: PhoneNumber) => `Number ${display_phone_number} (${id})`;

/** Numbers that events named and that have not been created since. */
async function unknownNumbers({ eventNotes, targets }: Service) {
  const notes = await eventNotes.unknownNumbers();
  const found = await Promise.all(notes.map(({ phone_number_id }) => targets.findByPhoneNumberId(phone_number_id)));
  const unknown = notes.filter((_, index) => found[index] === undefined);
  return unknown.map(({ phone_number_id, display_phone_number, waba_id, last_event_at }) => ({
    phoneNumberId: phone_number_id,
    displayPhoneNumber: display_phone_number ?? undefined,
    wabaId: waba_id ?? undefined,
    at: last_event_at,
  }));
}
