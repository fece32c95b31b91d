import type { Command, Option, Options } from './command.ts';
import { alignColumns } from './render.ts';

const start = 'npm run admin --';

/** How to use these commands: all about those of one noun, else an overview. */
export function describeCommands(commands: readonly Command[], commonOptions: Options): string {
  const areOfOneNoun = commands.every(({ noun }) => noun === commands[0]?.noun);
  return [
    `Usage: ${start} NOUN VERB … (--local | --table NAME)`,
    ...(areOfOneNoun ? commands.map(describe) : [overview(commands)]),
    `Every command takes\n${describeOptions(commonOptions)}`,
    '--help after a noun tells more about it. In scripts: npm run --silent admin -- … --json',
  ].join('\n\n');
}

function overview(commands: readonly Command[]): string {
  return indent(alignColumns(commands.map((command) => [words(command).join(' '), command.summary])));
}

function describe(command: Command): string {
  const lines = [synopsis(command), indent([command.summary])];
  return (hasOptions(command) ? [...lines, describeOptions(command.options)] : lines).join('\n');
}

const hasOptions = ({ options }: Command) => Object.keys(options).length > 0;

function words({ noun, verb, arguments: parameters }: Command): string[] {
  return [noun, verb, ...Object.values(parameters).map((parameter) => parameter.placeholder)];
}

function synopsis(command: Command): string {
  const options = Object.entries(command.options).map(([name, option]) => {
    const usage = optionUsage(name, option);
    return 'parameter' in option && option.required ? usage : `[${usage}]`;
  });
  return [...words(command), ...options].join(' ');
}

function describeOptions(options: Options): string {
  return indent(
    alignColumns(Object.entries(options).map(([name, option]) => [optionUsage(name, option), option.help])),
  );
}

function optionUsage(name: string, option: Option): string {
  return 'parameter' in option ? `--${name} ${option.parameter.placeholder}` : `--${name}`;
}

const indent = (lines: readonly string[]) => lines.map((line) => `  ${line}`).join('\n');
