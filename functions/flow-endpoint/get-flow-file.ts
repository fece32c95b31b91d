import { findFlow, numbers } from '#functions/flows/compose.ts';
import { type FileContext, serveFile } from '#shared/flow-endpoint/serve-file.ts';
import { link } from '#shared/operations/compose.ts';
import { createHandler, type PublicDependencies } from '#shared/operations/create-handler.ts';
import { servePublic } from '#shared/operations/serve.ts';
import { download, fileCopies, privateKeys } from './compose.ts';
import { getFlowFile as contract } from './contracts.ts';

type Dependencies = PublicDependencies & FileContext;

export const makeHandler = (dependencies: Dependencies) =>
  createHandler(contract, dependencies, ({ params }) => serveFile(params.flow, params.file, dependencies));

export const start = servePublic(contract, makeHandler, {
  findFlow,
  numbers,
  privateKeys,
  download,
  bucket: fileCopies,
  link,
});
