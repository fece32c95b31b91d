import { accessSync, constants, mkdirSync } from 'node:fs';
import { OptionError } from './options.ts';

/**
 * Creates the data folder unless it exists. Others may not look into a new one.
 *
 * @throws OptionError if it cannot be created, is not a folder or is not writable.
 */
export function makeDataFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    const reason = Reflect.get(Object(error), 'code');
    throw new OptionError(
      `The data folder ${folder} cannot be used (${reason}). Set LOCAL_DATA_DIR to a folder that you can write to.`,
    );
  }
}
