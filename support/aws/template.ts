import { createResolver, type ResourceResolver } from '#local/aws/template/resolve.ts';
import type { Template, TemplateResource } from '#local/aws/template/template.ts';

type WrittenResource = Pick<TemplateResource, 'Type'> & Partial<TemplateResource>;

export const templateFolder = import.meta.dirname;

/** A template for tests, with everything that each synthesised template has. */
export function templateOf(resources: Readonly<Record<string, WrittenResource>>): Template {
  return {
    folder: templateFolder,
    resources: new Map(
      Object.entries(resources).map(([logicalId, resource]) => [
        logicalId,
        { Properties: {}, Metadata: {}, ...resource },
      ]),
    ),
    outputs: new Map(),
  };
}

export const resolverOf = (template: Template, resource: ResourceResolver = () => undefined) =>
  createResolver(template, { resource });

/** A function as the CDK synthesises it. Any existing folder serves as its code. */
export const functionResource = (id: string, properties: Record<string, unknown> = {}): WrittenResource => ({
  Type: 'AWS::Lambda::Function',
  Properties: {
    Handler: 'index.handler',
    Runtime: 'nodejs24.x',
    Role: { 'Fn::GetAtt': ['Role', 'Arn'] },
    ...properties,
  },
  Metadata: { 'aws:cdk:path': `Stack/${id}/Resource`, 'aws:asset:path': '.' },
});

export const roleResource: WrittenResource = { Type: 'AWS::IAM::Role' };
