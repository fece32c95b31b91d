import type { Workspace } from '#shared/accounts/workspace.ts';
import type { Limiter } from '#shared/base/concurrency.ts';
import type { DynamicFlow } from '#shared/flow-endpoint/make-exchange.ts';
import type { DeliverySettings, PhoneNumber } from '#shared/webhooks/subscriber.ts';
import { findNumber, findWorkspace } from '../lookup.ts';
import { isInUse } from '../platform/number-state.ts';
import type { Service } from '../service.ts';

/** A workspace with what of it is to be checked. */
export interface Scope {
  workspace: Workspace;
  numbers: readonly PhoneNumber[];
  flows: readonly DynamicFlow[];
  /** The targets of the numbers and the workspace. */
  settings: readonly DeliverySettings[];
}

/** Finds what concerns one number or, without one, each workspace with a business account or active numbers. */
export async function findScopes(numberId: string | undefined, service: Service, limited: Limiter): Promise<Scope[]> {
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

async function scopeOf(workspace: Workspace, numbers: PhoneNumber[], service: Service, limited: Limiter) {
  const { flows, targets } = service;
  const [all, settings] = await Promise.all([
    limited(() => Array.fromAsync(flows.list({ workspace: workspace.id }))),
    Promise.all([...numbers, workspace].map(({ id }) => limited(() => targets.read(id)))),
  ]);
  return { workspace, numbers, flows: all.filter(isInUse), settings: settings.filter((each) => each !== undefined) };
}
