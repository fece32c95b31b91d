import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

export const common = {
  env: {
    // For AWS clients that a test points at its own engine.
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    // For the programs that tests start, most of them often: compiling takes half of their time.
    NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compiled'),
  },
  clearMocks: true,
  // Files import the same, and half of their time would go into importing and compiling it again for each. Each leaves
  // environment and globals as it found them.
  isolate: false,
  // These only end what would never end: no result depends on the machine's speed.
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 300_000, interval: 20 } },
} satisfies TestProjectInlineConfiguration['test'];

/**
 * The tests of worlds, which take longest, then those of the stack, which run the CDK, before those of single parts: at
 * the end no core waits for a long file.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ project, moduleId }: TestSpecification) =>
      project.name === 'worlds' ? 0 : moduleId.startsWith(stack) ? 1 : 2;
    return sorted.sort((a, b) => rank(a) - rank(b));
  }
}

const stack = join(import.meta.dirname, 'test/stack/');

/** Tests of everything together, most of which start a local world. */
const worlds = 'test/{acceptance,delivery,flows,simulation}/**/*.test.ts';

/** Tests in a browser, which wait for nothing: more of them than cores keep each other from what must end in time. */
export const browsers = 'test/{browser,console}/**/*.test.ts';

/** They run after the other projects. */
export const browserGroup = {
  sequence: { groupOrder: 1 },
  maxWorkers: availableParallelism(),
} satisfies TestProjectInlineConfiguration['test'];

export default defineConfig({
  test: {
    globalSetup: 'support/worlds/global-setup.ts',
    silent: 'passed-only',
    // Tests of worlds often wait, so four share two cores: 197 s instead of 209 with three.
    maxWorkers: availableParallelism() * 2,
    sequence: { sequencer: LongestFirst },
    // Node loads the files itself, as it does when the service runs: nothing is transformed, and code runs faster.
    experimental: { viteModuleRunner: false },
    projects: [
      { test: { ...common, name: 'worlds', include: [worlds] } },
      {
        test: {
          ...common,
          name: 'units',
          include: ['**/*.test.ts'],
          exclude: [...configDefaults.exclude, worlds, browsers],
        },
      },
      { test: { ...common, ...browserGroup, name: 'browsers', include: [browsers] } },
    ],
  },
});
