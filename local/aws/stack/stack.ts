import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultRegion } from '../base/account.ts';
import type { Access, Authorize } from '../base/signatures/aws-access.ts';
import type { Credentials, Signers } from '../base/signatures/signature-v4.ts';
import { createResolver, type Resolve } from '../template/resolve.ts';
import { isAllowed, readRolePolicies } from '../template/role-policies.ts';
import { readTemplate, type Template } from '../template/template.ts';
import { functionCredentials, keptAdministrator } from './credentials.ts';

/** Sees a call of a service by a function, and an invocation of a function with the time that it took. */
export type OnCall = (call: Access, milliseconds?: number) => void;

export interface StackOptions {
  /** The synthesised template. */
  readonly templateFile: string;
  /** Where the stack keeps its id and its administrator's credentials between runs. */
  readonly dataDir: string;
  /** Where the template's API will listen. */
  readonly apiUrl: string;
  /** How far the functions' clocks are ahead. */
  readonly clockOffsetSeconds?: number;
  readonly onCall?: OnCall | undefined;
}

/** A template whose resources are being started. */
export interface Stack {
  readonly template: Template;
  readonly region: string;
  readonly resolve: Resolve;
  /** The administrator and the functions. Their clock is the functions'. */
  readonly signers: Signers;
  readonly administrator: Credentials;
  readonly credentialsOf: (functionId: string) => Credentials;
  /** Rejects what the function's role does not allow. A function's access key id is its logical id. */
  readonly authorize: Authorize;
  readonly onCall: OnCall;
  /** Sets what `Ref` gives for a resource that runs now: a queue's URL, a secret's ARN. */
  setReference(logicalId: string, value: string): void;
  /** The value of one of the template's outputs. */
  output(name: string): string;
}

export function openStack(options: StackOptions): Stack {
  const { templateFile, dataDir, apiUrl, clockOffsetSeconds = 0, onCall = () => undefined } = options;
  const region = defaultRegion;
  const template = readTemplate(templateFile);
  const references = new Map<string, string>();
  const resolve = createResolver(template, {
    region,
    stackId: keptStackId(dataDir),
    resource(logicalId, attribute) {
      if (attribute === 'ApiEndpoint') return apiUrl;
      return attribute === undefined || attribute === 'QueueUrl' ? references.get(logicalId) : undefined;
    },
  });
  const administrator = keptAdministrator(dataDir);
  const credentialsOf = (functionId: string) => functionCredentials(administrator, functionId);
  const checkRole = roleChecker(administrator, () => readRolePolicies(template, resolve));
  return {
    template,
    region,
    resolve,
    administrator,
    credentialsOf,
    signers: {
      credentialsOf(accessKeyId) {
        if (accessKeyId === administrator.accessKeyId) return administrator;
        const isFunction = template.resources.get(accessKeyId)?.Type === 'AWS::Lambda::Function';
        return isFunction ? credentialsOf(accessKeyId) : undefined;
      },
      now: () => Date.now() + clockOffsetSeconds * 1000,
    },
    authorize(access) {
      checkRole(access);
      onCall(access);
    },
    onCall,
    setReference: (logicalId, value) => void references.set(logicalId, value),
    output: (name) => String(resolve(template.outputs.get(name)?.Value)),
  };
}

/** The id stays the same from run to run, as a deployed stack's does from deployment to deployment. */
function keptStackId(dataDir: string): string {
  const file = join(dataDir, 'stack-id');
  try {
    return readFileSync(file, 'utf8');
  } catch {
    const id = randomUUID();
    writeFileSync(file, id);
    return id;
  }
}

/** Reads the roles at the first access, because not all references are known before. */
function roleChecker(administrator: Credentials, readPolicies: () => ReturnType<typeof readRolePolicies>): Authorize {
  let policies: ReturnType<typeof readRolePolicies> | undefined;
  return ({ accessKeyId, ...access }) => {
    if (accessKeyId === administrator.accessKeyId) return;
    policies ??= readPolicies();
    const statements = policies.get(accessKeyId) ?? [];
    if (!isAllowed(statements, access)) {
      const { action, resource, context = {} } = access;
      const values = Object.values(context).flat();
      const about = values.length === 0 ? '' : ` for ${values.join(', ')}`;
      throw new Error(`The role of ${accessKeyId} does not allow ${action} on ${resource}${about}`);
    }
  };
}
