import type { Config } from '../config.ts';
import type { Settings } from '../settings.ts';
import type { Aws } from './aws.ts';
import type { StackState } from './stack-state.ts';

/** What a look at the account found out before a deployment. */
export interface Findings {
  /** What would make the deployment fail, or have an unintended effect. */
  problems: string[];
  /** What to know. */
  notices: string[];
}

/** What is about to be deployed, and where. */
export interface Subject {
  /** The settings that are given. */
  settings: Settings;
  /** The configuration that they make, with the defaults of the others. */
  config: Config;
  aws: Aws;
  region: string;
  account: string;
  stackName: string;
  /** The stack of an earlier deployment, if there is one. */
  stack: StackState | undefined;
}
