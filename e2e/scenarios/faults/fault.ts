import type { FaultEffects } from './reconcile.ts'
import type { FaultSite, FaultEnvironment } from './fault-site.ts'

/** Something that goes wrong under a running site, and is put right again. */
export interface Fault extends FaultEffects {
  readonly name: string
  /** Makes what the fault needs before there is a site. */
  prepare(): Promise<PreparedFault>
}

export interface PreparedFault {
  readonly environment: FaultEnvironment
  /** From here on it is wrong. */
  inject(faultSite: FaultSite): Promise<void>
  /** From here on nothing is wrong any more; recovering is the product's part. */
  repair(faultSite: FaultSite): Promise<void>
  /** What must be back besides answers to calls. */
  isBack?(faultSite: FaultSite): Promise<boolean>
  /** That it was in force, where clients see nothing of it. Asked while the site still runs. */
  hasTakenEffect?(faultSite: FaultSite): Promise<boolean>
  /** After the site is closed. */
  remove?(): Promise<void>
}
