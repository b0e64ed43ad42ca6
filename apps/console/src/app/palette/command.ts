import type { ReactNode } from 'react'
import type { Texts } from '../../locales/texts.ts'

export type GroupKey = keyof Texts['palette']['groups']

/** One line of the palette: a place to go to, or something to do. */
export interface Command {
  /** Unique among all, and the same tomorrow: recent choices are remembered by it. */
  id: string
  group: GroupKey
  title: string
  /** Said beside the title, to tell things of one name apart. */
  hint?: string
  /** More that it is found by: its name in the other language, the first letters of its sounds. */
  words: readonly string[]
  icon: ReactNode
  /** Where it leads, or what it does. */
  target: string | (() => void)
}
