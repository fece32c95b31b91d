import { parseCommandLine, type TargetOptions } from './command-line.ts';
import { commands } from './commands.ts';
import { describeFailure, UsageError } from './failures.ts';
import { type Result, renderJson, renderText } from './render.ts';
import { openService, type Service } from './service.ts';
import { openTarget } from './target.ts';

/** Runs what the words say and prints what comes of it. */
async function run(words: readonly string[]): Promise<void> {
  const invocation = parseCommandLine(words, commands);
  if (invocation.kind === 'help') {
    console.log(invocation.text);
    return;
  }
  const { task, target, json } = invocation;
  const result = task.needsService ? await withService(target, task.run) : await task.run();
  console.log(json ? renderJson(result) : renderText(result));
  if (result.hasFindings) process.exitCode = 1;
}

async function withService(options: TargetOptions, work: (service: Service) => Promise<Result>): Promise<Result> {
  const target = await openTarget(options);
  try {
    return await work(openService(target));
  } finally {
    target.table.client.destroy();
  }
}

try {
  await run(process.argv.slice(2));
} catch (error) {
  console.error(describeFailure(error));
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
