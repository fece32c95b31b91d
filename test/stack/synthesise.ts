import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { createApp } from '#infra/app.ts';
import type { Template } from '../../support/aws/synthesised-template.ts';

/** The templates that were made here, as JSON. */
const templates = new Map<string, string>();

/** The template with settings of its own. Loading the CDK for it takes a second, so the common ones are made once. */
export function synthesise(context: Record<string, string>): Template {
  const name = JSON.stringify(context);
  const template = templates.get(name) ?? JSON.stringify(synthesised(context));
  templates.set(name, template);
  return JSON.parse(template);
}

function synthesised(context: Record<string, string>): Template {
  const outdir = mkdtempSync(join(tmpdir(), 'messaging-'));
  try {
    const app = createApp({ context, functionsDirectory: inject('functionsDirectory'), outdir });
    const [stack] = app.synth().stacks;
    if (!stack) throw new Error('The app has no stack');
    return stack.template;
  } finally {
    rmSync(outdir, { recursive: true });
  }
}
