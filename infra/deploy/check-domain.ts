import { DescribeCertificateCommand } from '@aws-sdk/client-acm';
import { GetDomainNameCommand } from '@aws-sdk/client-apigatewayv2';
import { unlessMissing } from './aws.ts';
import type { Findings, Subject } from './findings.ts';
import { hasResource } from './stack-state.ts';

const regionOfArn = (arn: string) => String(arn.split(':')[3]);

export async function checkCertificateRegion({ config: { domain }, region }: Subject): Promise<Partial<Findings>> {
  const its = domain && regionOfArn(domain.certificateArn);
  if (its === undefined || its === region) return {};
  return {
    problems: [
      `The certificate is in ${its}, and the API in ${region}: the certificate of a custom domain must be in the same region.`,
    ],
  };
}

/** Looks at the certificate in its own region, even if it cannot be used from there. */
export async function checkCertificate({ aws, config: { domain } }: Subject): Promise<Partial<Findings>> {
  if (!domain) return {};
  const { name, certificateArn } = domain;
  const command = new DescribeCertificateCommand({ CertificateArn: certificateArn });
  const found = await unlessMissing(aws.acmIn(regionOfArn(certificateArn)).send(command), 'ResourceNotFoundException');
  const certificate = found?.Certificate;
  if (!certificate) return { problems: [`There is no certificate ${certificateArn} in this account.`] };
  const problems: string[] = [];
  if (certificate.Status !== 'ISSUED') {
    problems.push(
      `The certificate ${certificateArn} is ${certificate.Status}, not ISSUED: complete its validation in ACM.`,
    );
  }
  const names = [certificate.DomainName ?? '', ...(certificate.SubjectAlternativeNames ?? [])];
  if (!names.some((each) => covers(each, name))) {
    problems.push(`The certificate ${certificateArn} is for ${[...new Set(names)].join(', ')}, not for ${name}.`);
  }
  return { problems };
}

/** A wildcard stands for one label. */
function covers(pattern: string, name: string): boolean {
  return pattern === name || (pattern.startsWith('*.') && name.slice(name.indexOf('.')) === pattern.slice(1));
}

export async function checkDomain({ aws, config: { domain }, stackName, stack }: Subject): Promise<Partial<Findings>> {
  if (!domain || (stack && (await hasResource(stackName, 'CustomDomain', aws)))) return {};
  const command = new GetDomainNameCommand({ DomainName: domain.name });
  const found = await unlessMissing(aws.apiGateway.send(command), 'NotFoundException');
  if (!found) return {};
  return {
    problems: [
      `API Gateway has the custom domain ${domain.name} already, and it is not the stack's. Delete it, or map it to the API yourself and deploy with --base-url https://${domain.name} instead.`,
    ],
  };
}
