import type { Circumstances } from './reconcile.ts'
import type { Field, Ground } from './fault-site.ts'

/** Something that goes wrong under a running site, and is put right again. */
export interface Fault extends Circumstances {
  readonly name: string
  /** Makes what the fault needs before there is a site. */
  prepare(): Promise<PreparedFault>
}

export interface PreparedFault {
  readonly ground: Ground
  /** From here on it is wrong. */
  strike(field: Field): Promise<void>
  /** From here on nothing is wrong any more; recovering is the product's part. */
  lift(field: Field): Promise<void>
  /** What must be back besides answers to calls. */
  isBack?(field: Field): Promise<boolean>
  /** That it was in force, where clients see nothing of it. Asked while the site still runs. */
  leftTrace?(field: Field): Promise<boolean>
  /** After the site is closed. */
  remove?(): Promise<void>
}
