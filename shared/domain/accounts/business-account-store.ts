import type { DeliverySettings } from '../subscribers/target-store.ts';
import type { Workspace } from './workspace.ts';

/** Finds the workspaces of an upstream business account. Several workspaces can share one. */
export interface BusinessAccountStore {
  /** Lets the store find the workspace by its business account, if it has one. */
  enter(workspace: Pick<Workspace, 'id' | 'waba_id'>): Promise<void>;
  /** Reads the workspaces of a business account, with their webhooks, consistently. */
  listWorkspaces(wabaId: string): Promise<DeliverySettings[]>;
}
