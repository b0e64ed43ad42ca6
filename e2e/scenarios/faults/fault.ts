import type { FaultEffects } from './reconcile.ts'
import type { FaultSite, FaultEnvironment } from './fault-site.ts'

/** Something that breaks under a running site and is repaired later. */
export interface Fault extends FaultEffects {
  readonly name: string
  /** Prepares what the fault needs before the site starts. */
  prepare(): Promise<PreparedFault>
}

export interface PreparedFault {
  readonly environment: FaultEnvironment
  /** Injects the fault. */
  inject(faultSite: FaultSite): Promise<void>
  /** Ends the fault. Recovery is up to the product. */
  repair(faultSite: FaultSite): Promise<void>
  /** Called before the fault is injected again; resolves when its services have recovered themselves. */
  awaitServices?(): Promise<void>
  /** What must work again besides requests. */
  isBack?(faultSite: FaultSite): Promise<boolean>
  /** Whether the fault took effect, where clients cannot see it. Called while the site still runs. */
  hasTakenEffect?(faultSite: FaultSite): Promise<boolean>
  /** Called after the site is closed. */
  remove?(): Promise<void>
}
