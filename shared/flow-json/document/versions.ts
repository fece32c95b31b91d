/**
 * Every version that Flows can be published with, oldest first (Meta's "Flows changelog"). 5.2 was never public. A Flow
 * of one of these keeps opening on phones when Meta freezes the version.
 */
export const versions = ['5.1', '6.0', '6.1', '6.2', '6.3', '7.0', '7.1', '7.2', '7.3'] as const;

/** Flows with these can no longer be published (Meta's page "Versioning"). */
export const frozenVersions: readonly string[] = ['2.1', '3.0', '3.1', '4.0', '5.0'];

export type Version = (typeof versions)[number];

export const [oldestVersion] = versions;
export const latestVersion: Version = '7.3';

export function isPublishableVersion(version: string): version is Version {
  return (versions as readonly string[]).includes(version);
}

export function isAtLeast(version: Version, since: Version): boolean {
  return versions.indexOf(version) >= versions.indexOf(since);
}

/** Returns whether this is a version of the same major release that is newer than this table. */
export function isNewerThanKnown(version: string): boolean {
  const [major, minor] = version.split('.').map(Number);
  const [latestMajor, latestMinor] = latestVersion.split('.').map(Number);
  return major === latestMajor && minor !== undefined && latestMinor !== undefined && minor > latestMinor;
}

/** The version that phones send for a Flow whose JSON specifies none. */
export const defaultDataApiVersion = '3.0';

/** The version that a request to the endpoint carries. */
export function requestVersion(dataApiVersion: string | undefined): string {
  return dataApiVersion ?? defaultDataApiVersion;
}
