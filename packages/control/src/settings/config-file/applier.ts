import type { Deps } from '../../deps.ts'
import type { Origin } from '../../http/actor.ts'

/** Who applies a file: a person, or nobody that the site knows, on the command line. */
export interface Applier {
  readonly id: number | null
  readonly origin?: Pick<Origin, 'clientIp' | 'requestId'>
}

export type ApplyDeps = Pick<Deps, 'db' | 'vault' | 'catchUp' | 'now'>
