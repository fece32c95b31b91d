import {
  frozenVersions,
  isAtLeast,
  isNewerThanKnown,
  isPublishableVersion,
  latestVersion,
  oldestVersion,
  type Version,
} from '#shared/flow-json/document/versions.ts';
import { excerpt, type Report } from './findings.ts';
import type { FlowSource, Located } from './flow-source.ts';

/** Reports violations of one group of the upstream's rules. */
export type Rule = (flow: FlowSource, report: Report) => void;

const dataApiVersions: readonly (readonly [version: string, since: Version])[] = [
  ['3.0', '5.1'],
  ['4.0', '7.3'],
];

/**
 * Checks the version of a Flow JSON. Returns the version whose rules apply: the oldest for a frozen one, so that its
 * author learns what to change, and the latest for an unknown one.
 */
export function checkVersion(document: Located, report: Report): Version {
  const version = document.member('version');
  if (version === undefined) {
    report.error('MISSING_FLOW_JSON_VERSION', 'Flow JSON version is not specified.', document);
    return latestVersion;
  }
  const text = version.string ?? '';
  if (/^\d+$/.test(`${version.number ?? text}`)) {
    const message = `Unsupported Flow JSON version: it should be a string such as "${latestVersion}".`;
    report.error('UNSUPPORTED_FLOW_JSON_VERSION', message, version);
    return latestVersion;
  }
  if (!/^[\dA-Za-z]{1,3}\.[\dA-Za-z]{1,3}$/.test(text)) {
    const message = `Flow JSON version should be a string such as "${latestVersion}".`;
    report.error('INVALID_FLOW_JSON_VERSION', message, version);
    return latestVersion;
  }
  if (isPublishableVersion(text)) return text;
  if (frozenVersions.includes(text)) {
    const message = `Flow JSON version ${text} is frozen: Flows with it can no longer be published. It was checked by the rules of ${oldestVersion}.`;
    report.warning('INVALID_FLOW_JSON_VERSION_STATE', message, version);
    return oldestVersion;
  }
  checkUnknownVersion(text, version, report);
  return latestVersion;
}

export const checkDataApiVersion: Rule = ({ document, version }, report) => {
  const dataApiVersion = document.member('data_api_version');
  if (dataApiVersion === undefined) return;
  const dataApi = dataApiVersions.find(([name]) => name === dataApiVersion.string);
  if (dataApi === undefined) {
    const message = `Value should be one of: [${dataApiVersions.map(([name]) => name).join(', ')}].`;
    report.error('INVALID_DATA_API_VERSION', message, dataApiVersion);
  } else if (!isAtLeast(version, dataApi[1])) {
    const message = `Meta introduced data API version ${dataApi[0]} with Flow JSON ${dataApi[1]}; this is Flow JSON ${version}.`;
    report.warning('INVALID_DATA_API_VERSION', message, dataApiVersion);
  }
  if (document.member('routing_model') === undefined) {
    const message = "Property 'routing_model' is required when 'data_api_version' is specified.";
    report.error('MISSING_REQUIRED_PROPERTY', message, dataApiVersion);
  }
};

function checkUnknownVersion(text: string, version: Located, report: Report): void {
  if (isNewerThanKnown(text)) {
    const message = `Flow JSON version ${text} is newer than the versions known here; it was checked by the rules of ${latestVersion}.`;
    report.warning('UNAVAILABLE_FLOW_JSON_VERSION', message, version);
  } else {
    const message = `Given Flow JSON version is not supported: ${excerpt(text)}.`;
    report.error('UNAVAILABLE_FLOW_JSON_VERSION', message, version);
  }
}
