import type { DeliverySettings } from '../subscribers/target-store.ts';
import type { Workspace } from './workspace.ts';

/** Finds the workspaces of an upstream business account. Several workspaces can share one. */
export interface BusinessAccountStore {
  /** Makes the workspace one that is found by its business account, if it has one. */
  enter(workspace: Pick<Workspace, 'id' | 'waba_id'>): Promise<void>;
  /** Reads the workspaces of a business account that have a webhook, consistently. */
  listSubscribers(wabaId: string): Promise<DeliverySettings[]>;
}
