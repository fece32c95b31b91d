import { flowAnswer } from '../../shared/flows/answer.ts';
import { presentStatus } from '../../shared/flows/catalogue.ts';
import { changeFlow } from '../../shared/flows/change-flow.ts';
import type { FlowRecord } from '../../shared/flows/flow.ts';
import { type FlowDependencies, flowRuntime } from '../../shared/flows/runtime.ts';
import { flowTexts } from '../../shared/flows/texts.ts';
import { businessAccount } from '../../shared/flows/upstream-changes.ts';
import { ok } from '../../shared/http/answers.ts';
import { createHandler } from '../../shared/http/create-handler.ts';
import type { Language } from '../../shared/language/language.ts';
import { ServiceError } from '../../shared/service-error.ts';
import { contract } from './contract.ts';

export const makeHandler = (dependencies: FlowDependencies) =>
  createHandler(contract, dependencies, async ({ workspace, flow, language, requestId }) => {
    const context = dependencies.contextFor(workspace, requestId);
    businessAccount(context);
    const changed = await changeFlow(flow, { change: 'publish' }, context, requireDraft(language));
    return ok(await flowAnswer(changed.flow, language, context));
  });

export const handler = makeHandler(flowRuntime());

const requireDraft = (language: Language) => (flow: FlowRecord) => {
  if (flow.status === 'DRAFT') return;
  const status = presentStatus(flow.status, language).description.toLowerCase();
  throw new ServiceError('refused', flowTexts.notADraft, { values: { status } });
};
