import type { CellContext } from '../cell-context.ts'

export type Mode = 'whole' | 'streamed'

/** A feature of a conversation, run by every client against every provider. */
export interface Case {
  readonly name: string
  /** One line for the documentation. */
  readonly carries: string
  readonly modes: readonly Mode[]
  run(context: CellContext): Promise<void>
  /** Checks for pairs of protocols that drop this feature. */
  runOmitted?(context: CellContext): Promise<void>
}

export const BOTH = ['whole', 'streamed'] as const
