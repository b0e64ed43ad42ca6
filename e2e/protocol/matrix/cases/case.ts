import type { Stage } from '../cell-context.ts'

export type Mode = 'whole' | 'streamed'

/** Something a conversation can have, played by every client at every vendor. */
export interface Case {
  readonly name: string
  /** One line for the documentation. */
  readonly carries: string
  readonly modes: readonly Mode[]
  play(stage: Stage): Promise<void>
  /** What still holds where the table says that it is left out. */
  playLeftOut?(stage: Stage): Promise<void>
}

export const BOTH = ['whole', 'streamed'] as const
