/** A finding of the upstream's validation, passed on as it came. */
export interface ValidationError {
  error: string;
  message: string;
  [member: string]: unknown;
}

/** A Flow as the upstream reports it. What a Graph version does not report is absent. */
export interface UpstreamFlow {
  id: string;
  name?: string | undefined;
  status?: string | undefined;
  categories?: string[] | undefined;
  json_version?: string | null | undefined;
  validation_errors?: ValidationError[] | undefined;
}

/** What the upstream is told of a Flow's metadata. */
export interface UpstreamMetadata {
  name: string;
  categories: readonly string[];
  /** Omitted = kept as it is: the upstream knows no way to take an endpoint away. */
  endpoint_uri?: string;
}

/** The Flows of the upstream. Every method throws `UpstreamError` when it fails. */
export interface UpstreamFlows {
  /** The new Flow's upstream id. */
  create(wabaId: string, metadata: UpstreamMetadata): Promise<string>;
  update(id: string, metadata: UpstreamMetadata): Promise<void>;
  /** Uploads the content; findings do not keep the upstream from storing it. */
  uploadJson(id: string, json: string): Promise<ValidationError[]>;
  publish(id: string): Promise<void>;
  deprecate(id: string): Promise<void>;
  delete(id: string): Promise<void>;
  /** `undefined` when the upstream does not know the Flow (any more). */
  get(id: string): Promise<UpstreamFlow | undefined>;
  /** The Flow JSON as the upstream has it, or `undefined` when it has none. */
  downloadJson(id: string): Promise<string | undefined>;
  /** The Flow of this name, which is unique in a business account. */
  findByName(wabaId: string, name: string): Promise<UpstreamFlow | undefined>;
}
