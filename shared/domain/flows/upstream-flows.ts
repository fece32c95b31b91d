/** A finding of the upstream's validation, passed on unchanged. */
export interface ValidationError {
  error: string;
  message: string;
  [member: string]: unknown;
}

/** A Flow according to the upstream. Members that a Graph version does not report are absent. */
export interface UpstreamFlow {
  id: string;
  name?: string | undefined;
  status?: string | undefined;
  categories?: string[] | undefined;
  /** Where the upstream sends exchanges; absent, `null` or empty without an endpoint. */
  endpoint_uri?: string | null | undefined;
  json_version?: string | null | undefined;
  validation_errors?: ValidationError[] | undefined;
}

/** The metadata of a Flow that the service sends to the upstream. */
export interface UpstreamMetadata {
  name: string;
  categories: readonly string[];
  /** If omitted, the upstream keeps its value. An empty text removes it. */
  endpoint_uri?: string;
}

/** The Flows of the upstream. Every method throws `UpstreamError` when it fails. */
export interface UpstreamFlows {
  /** Resolves with the upstream's id of the new Flow. */
  create(wabaId: string, metadata: UpstreamMetadata): Promise<string>;
  update(id: string, metadata: UpstreamMetadata): Promise<void>;
  /** Uploads the content. The upstream stores it in spite of findings. */
  uploadJson(id: string, json: string): Promise<ValidationError[]>;
  publish(id: string): Promise<void>;
  deprecate(id: string): Promise<void>;
  delete(id: string): Promise<void>;
  /** Resolves with `undefined` when the upstream does not know the Flow (any more). */
  get(id: string): Promise<UpstreamFlow | undefined>;
  /** Resolves with the upstream's copy of the Flow JSON, or `undefined` when it has none. */
  downloadJson(id: string): Promise<string | undefined>;
  /** Finds the Flow by its name, which is unique in a business account. */
  findByName(wabaId: string, name: string): Promise<UpstreamFlow | undefined>;
}
