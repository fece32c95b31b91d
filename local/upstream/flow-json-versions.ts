/** Still open on phones, no longer publishable (Meta's page "Flow JSON versioning"). */
const FROZEN_VERSIONS = ['2.1', '3.0', '3.1', '4.0', '5.0'];

const PUBLISHABLE_VERSIONS = ['5.1', '6.0', '6.1', '6.2', '6.3', '7.0', '7.1', '7.2', '7.3'];

export function isKnownVersion(version: string): boolean {
  return FROZEN_VERSIONS.includes(version) || isPublishableVersion(version);
}

export function isPublishableVersion(version: string): boolean {
  return PUBLISHABLE_VERSIONS.includes(version);
}
