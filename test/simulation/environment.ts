import { functionEnvironment } from '../support/function-environment.ts';

/** For programs outside of the test runner, to be imported before any handler. */
Object.assign(process.env, functionEnvironment);
