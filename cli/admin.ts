import { parseCommandLine } from './command-line.ts';
import { commands } from './commands.ts';
import { describeFailure, UsageError } from './failures.ts';
import { renderJson, renderText } from './render.ts';
import { openService } from './service.ts';
import { openTarget } from './target.ts';

/** Runs one command and returns what to print. */
async function run(words: readonly string[]): Promise<string> {
  const invocation = parseCommandLine(words, commands);
  if (invocation.kind === 'help') return invocation.text;
  const target = await openTarget(invocation.target);
  try {
    const result = await invocation.run(openService(target));
    return invocation.json ? renderJson(result) : renderText(result);
  } finally {
    target.table.client.destroy();
  }
}

try {
  console.log(await run(process.argv.slice(2)));
} catch (error) {
  console.error(describeFailure(error));
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
