import type { Workspace } from '#shared/domain/accounts/workspace.ts';
import { permitsCalls } from '#shared/domain/accounts/workspace.ts';
import type { DynamicFlow } from '#shared/domain/flow-endpoint/make-exchange.ts';
import type { PhoneNumber } from '#shared/domain/subscribers/number.ts';
import { findNumber, findWorkspace } from '../lookup.ts';
import type { Service } from '../service.ts';
import { readAccount } from './facts/accounts.ts';
import { type CredentialSet, readApp } from './facts/apps.ts';
import { type DeploymentSources, readDeployment } from './facts/deployment.ts';
import { isInUse, readFlow } from './facts/flows.ts';
import { type KeyUse, readNumber } from './facts/numbers.ts';
import { readTargets, type TargetSources } from './facts/targets.ts';
import type { Facts } from './facts.ts';

/** Where doctor reads. */
export interface Sources
  extends Omit<DeploymentSources, 'unknownNumbers' | 'now'>,
    Omit<TargetSources, 'deliveries' | 'now'> {
  service: Service;
  /** What the service is called in findings. */
  name: string;
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
}

/**
 * Reads everything that concerns one number or, without one, the whole deployment with its active numbers. Throws if
 * the table cannot be read; whatever else cannot be read is unknown.
 */
export async function gatherFacts(numberId: string | undefined, sources: Sources): Promise<Facts> {
  const { service, name, deployment, baseUrl } = sources;
  const { now, eventNotes } = service;
  const scopes = await findScopes(numberId, service);
  const sets = [...new Set([deployment, ...scopes.map(({ workspace }) => sources.credentialsOf(workspace))])];
  const used = sets.filter((set) => set !== deployment || scopes.length === 0 || usersOf(set).length > 0);
  const positionOf = (workspace: Workspace) => used.indexOf(sources.credentialsOf(workspace));

  function usersOf(set: CredentialSet): Scope[] {
    return scopes.filter(({ workspace }) => sources.credentialsOf(workspace) === set);
  }

  const [deploymentFacts, apps, accounts, numbers, flows, targets] = await Promise.all([
    readDeployment(name, { ...sources, unknownNumbers: () => unknownNumbers(service), now }, deployment.upstream),
    Promise.all(
      used.map((set) => {
        const users = usersOf(set);
        return readApp(set, {
          wabaIds: [...new Set(users.flatMap(({ workspace }) => workspace.waba_id ?? []))],
          hasCalling: users.some(
            ({ workspace, numbers }) => permitsCalls(workspace) && numbers.some((one) => one.calling_enabled),
          ),
          hasFlows: users.some(({ flows }) => flows.length > 0),
        });
      }),
    ),
    Promise.all(
      accountsOf(scopes, positionOf).map((account) => readAccount(account, (used[account.app] ?? deployment).upstream)),
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
          return readNumber(place, sources.credentialsOf(workspace).upstream, lastEvent);
        }),
      ),
    ),
    Promise.all(
      scopes.flatMap(({ workspace, numbers, flows }) => {
        const phoneNumberIds = numbers.map(({ phone_number_id }) => phone_number_id);
        const place = { workspaceName: workspace.name, baseUrl, phoneNumberIds };
        return flows.map((flow) => readFlow(flow, place, sources.credentialsOf(workspace).upstream));
      }),
    ),
    Promise.all(
      scopes.flatMap(({ workspace, numbers }) => [
        ...numbers.map((number) => targetsOf(number.id, subjectOf(number))),
        targetsOf(workspace.id, `Workspace ${workspace.name}`),
      ]),
    ),
  ]);
  return { at: now(), deployment: deploymentFacts, apps, accounts, numbers, flows, targets: targets.flat() };

  async function targetsOf(subscriber: string, subject: string) {
    const settings = await service.targets.read(subscriber);
    return settings ? readTargets(settings, subject, { ...sources, deliveries: service.deliveries, now }) : [];
  }
}

async function findScopes(numberId: string | undefined, service: Sources['service']): Promise<Scope[]> {
  if (numberId !== undefined) {
    const number = await findNumber(service, numberId);
    return [await scopeOf(await findWorkspace(service, number.workspace), [number], service)];
  }
  const workspaces = await service.workspaces.list();
  const scopes = await Promise.all(
    workspaces.map(async (workspace) => {
      const numbers = await service.numbers.listByWorkspace(workspace.id);
      return scopeOf(
        workspace,
        numbers.filter(({ active }) => active),
        service,
      );
    }),
  );
  return scopes.filter(({ workspace, numbers }) => workspace.waba_id !== null || numbers.length > 0);
}

async function scopeOf(workspace: Workspace, numbers: PhoneNumber[], { flows }: Sources['service']): Promise<Scope> {
  const all = await Array.fromAsync(flows.list({ workspace: workspace.id }));
  return { workspace, numbers, flows: all.filter(isInUse) };
}

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
  return [...new Map(accounts.map((account) => [`${account.app} ${account.wabaId}`, account])).values()];
}

const subjectOf = ({ display_phone_number, id }: PhoneNumber) => `Number ${display_phone_number} (${id})`;

function keyUseOf(flows: readonly DynamicFlow[]): KeyUse {
  if (flows.some(({ endpoint_encrypted }) => !endpoint_encrypted)) return 'decrypted-here';
  return flows.length > 0 ? 'decrypted-by-owner' : 'none';
}

async function unknownNumbers({ eventNotes }: Sources['service']) {
  const notes = await eventNotes.unknownNumbers();
  return notes.map(({ phone_number_id, display_phone_number, waba_id, last_event_at }) => ({
    phoneNumberId: phone_number_id,
    displayPhoneNumber: display_phone_number ?? undefined,
    wabaId: waba_id ?? undefined,
    at: last_event_at,
  }));
}
