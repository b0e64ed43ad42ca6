import type { CellContext } from '../cell-context.ts'

export type Mode = 'whole' | 'streamed'

/** Something a conversation can have, played by every client at every vendor. */
export interface Case {
  readonly name: string
  /** One line for the documentation. */
  readonly carries: string
  readonly modes: readonly Mode[]
  run(context: CellContext): Promise<void>
  /** What still holds where the table says that it is left out. */
  runOmitted?(context: CellContext): Promise<void>
}

export const BOTH = ['whole', 'streamed'] as const
