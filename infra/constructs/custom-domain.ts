import { ApiMapping, DomainName, type HttpStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { Construct } from 'constructs';
import type { Config } from '../config.ts';
import { pinLogicalId } from './pin-logical-id.ts';

/** A domain of the operator's that leads to the API. The operator points its DNS at `target`. */
export class CustomDomain extends Construct {
  /** The name that DNS points the domain at. */
  readonly target: string;

  constructor(scope: Construct, id: string, domain: NonNullable<Config['domain']>, stage: HttpStage) {
    super(scope, id);
    const domainName = new DomainName(this, 'Name', {
      domainName: domain.name,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', domain.certificateArn),
    });
    pinLogicalId(domainName, id);
    new ApiMapping(this, 'Mapping', { api: stage.api, domainName, stage });
    this.target = domainName.regionalDomainName;
  }
}
