import type { OptionKey } from '@tidegate/contract/api'

type WithoutDots<Key extends string> = Key extends `${infer Start}.${infer Rest}`
  ? WithoutDots<`${Start}_${Rest}`>
  : Key

/** Where the texts of an option are: a dot in a key of texts would be a step down. The compiler misses none of them. */
export type TextKey = WithoutDots<OptionKey>

export const textKeyOf = (key: OptionKey): TextKey => key.replaceAll('.', '_') as TextKey

/** The label of a field and where a link leads; unique on the page. */
export const anchorOf = (target: string): string => `setting-${target}`
