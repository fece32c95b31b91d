/** Options of a local world that a test or a measurement starts: free ports, and the data in the folder. */
export const worldDefaults = { fresh: false, ports: { api: 0, upstream: 0 }, clockOffsetSeconds: 0 } as const;
