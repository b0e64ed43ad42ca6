import { join } from 'node:path'

/** Where the embedded database keeps its things under the data directory. */
export interface Layout {
  readonly root: string
  /** The cluster: all data. */
  readonly cluster: string
  readonly log: string
  readonly startLock: string
  /** One file per process that uses the server. */
  readonly users: string
  /** Binaries of one version. */
  binaries(version: string): string
}

export function layoutOf(dataDir: string): Layout {
  const root = join(dataDir, 'postgres')
  return {
    root,
    cluster: join(root, 'data'),
    log: join(root, 'server.log'),
    startLock: join(root, 'start.lock'),
    users: join(root, 'users'),
    binaries: (version) => join(root, version),
  }
}
