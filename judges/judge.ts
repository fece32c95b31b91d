/** A judge: software that others wrote, which looks at our bundles, template and API description. */
export interface Judge {
  name: string;
  /** Whether it needs Docker, besides Python. */
  docker?: true;
  judge: (tools: Tools) => Promise<Verdict[]>;
}

/** A row of the table. */
export interface Verdict {
  /** For example, "cfn-lint". */
  judge: string;
  version: string;
  /** What it tried, for example "24 templates". */
  tried: string;
  /** What it found, a line each. None: passed. */
  faults: string[];
}

export interface Tools {
  /** The path of a command in the virtual environment. */
  command: (name: string) => string;
  /** The pinned version of a Python package. */
  version: (name: string) => string;
  /** What may be kept from run to run, such as an image. */
  cache: string;
  /** Deleted at the end of this run. */
  temporary: string;
}
