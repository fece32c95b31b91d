import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { contract } from '#functions/exchange-preview-data/contract.ts';
import type { Build } from './build.ts';
import { readDefinitions } from './definitions.ts';
import type { Pipeline } from './pipeline.ts';

/** The function whose place the empty one takes. Its route takes any POST, and no measurement of events needs it. */
const replaced = 'ExchangePreviewData';

/** An empty function behind the local world's gateway, for comparison: its handler returns at once. */
export const emptyHandlerUrl = ({ description }: Pipeline['world']) =>
  description.base_url + contract.path.replace('{preview}', 'empty');

/** Returns the build with the empty function in place of another one. */
export async function withEmptyHandler(build: Build): Promise<Build> {
  const assembly = dirname(build.templateFile);
  const folder = 'empty-handler';
  await mkdir(join(assembly, folder), { recursive: true });
  await writeFile(join(assembly, folder, 'index.mjs'), 'export const handler = async () => ({ statusCode: 200 });\n');

  const logicalId = readDefinitions(build).find(({ name }) => name === replaced)?.logicalId ?? '';
  const template = JSON.parse(await readFile(build.templateFile, 'utf8'));
  template.Resources[logicalId].Metadata['aws:asset:path'] = folder;
  const templateFile = join(assembly, 'with-empty-handler.template.json');
  await writeFile(templateFile, JSON.stringify(template));
  return { ...build, templateFile };
}
