import { describe, expect, it } from 'vitest';
import { functions, operations } from '#functions/operations.ts';
import { functionNamed, prodTemplate, render, resourcesOfType } from '../../support/aws/synthesised-template.ts';
import { synthesise } from './synthesise.ts';

const certificateArn = 'arn:aws:acm:eu-west-1:123456789012:certificate/0198a000-0000-7000-8000-000000000001';
const settings = { stage: 'prod', alarmEmail: 'operator@example.com' };
const template = synthesise({ ...settings, domainName: 'api.example.com', certificateArn });

describe('a custom domain', () => {
  it('adds the domain with its certificate, and leads all of it to the API', () => {
    const { CustomDomain, ...others } = template.Resources;
    expect(CustomDomain).toMatchObject({
      Type: 'AWS::ApiGatewayV2::DomainName',
      Properties: {
        DomainName: 'api.example.com',
        DomainNameConfigurations: [{ CertificateArn: certificateArn, EndpointType: 'REGIONAL' }],
      },
    });
    const [mapping, ...more] = resourcesOfType(template, 'AWS::ApiGatewayV2::ApiMapping');
    expect(more).toEqual([]);
    expect(Object.values(mapping?.Properties ?? {}).map(render)).toEqual(
      expect.arrayContaining(['<Api>', '<CustomDomain>']),
    );
    expect(mapping?.Properties).not.toHaveProperty('ApiMappingKey');
    const own = Object.keys(others).filter((id) => id !== mapping?.logicalId);
    expect(own.sort()).toEqual(Object.keys(prodTemplate().Resources).sort());
  });

  it('is the address that the functions and the outputs name', () => {
    const addresses = functions.flatMap(({ name }) => {
      const { BASE_URL } = functionNamed(template, name).Properties.Environment.Variables;
      return BASE_URL === undefined ? [] : [BASE_URL];
    });
    expect(addresses.length).toBeGreaterThan(operations.length / 2);
    expect(new Set(addresses)).toEqual(new Set(['https://api.example.com']));
    expect(template.Outputs.BaseUrl).toEqual({ Value: 'https://api.example.com' });
    expect(render(template.Outputs.DomainTarget?.Value)).toBe('<CustomDomain.RegionalDomainName>');
  });
});
