import { accessSync, constants, mkdirSync } from 'node:fs';
import { OptionError } from './options.ts';

/**
 * Makes the folder for the data unless it is there.
 *
 * @throws OptionError when it cannot be made, is no folder or cannot be written to.
 */
export function makeDataFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    const reason = Reflect.get(Object(error), 'code');
    throw new OptionError(
      `The data folder ${folder} cannot be used (${reason}). Set LOCAL_DATA_DIR to a folder that you can write to.`,
    );
  }
}
