import { api } from '@tidegate/contract'

/** Where a channel type of another product goes here. */
export interface ChannelTarget {
  readonly type: number
  /** The address when the channel names none: for vendors that speak OpenAI's way and have no type of their own here. */
  readonly baseUrl?: string
  /** Why channels of this type arrive disabled and without their keys, which cannot be used here. */
  readonly disabledReason?: string
}

/** What readers must know of a product beyond the shape that all of the family share. */
export interface Product {
  readonly name: 'one-api' | 'new-api' | 'veloera'
  /** By its own number; a type that is not listed does not exist here. */
  readonly channelTypes: ReadonlyMap<number, ChannelTarget>
  /** Names of types that do not exist here, for the report. */
  readonly otherTypes: Readonly<Record<number, string>>
  readonly tokenColumns: {
    readonly models: string
    readonly addresses: string
    /** Says whether the list of models counts; without it, a list that is not blank does. */
    readonly modelsEnabled?: string
  }
  /** Kinds of log rows by its number; others stay behind. */
  readonly logTypes: Readonly<Record<number, number>>
  /** How long a call took, and in how many milliseconds the column counts. */
  readonly logDuration: { readonly column: string; readonly unitMs: number }
  /** What `AutoGroups` is there while nobody set it; undefined where tokens have no group `auto`. */
  readonly autoGroups?: readonly string[]
  /** Options that have another name here. */
  readonly optionNames: Readonly<Record<string, string>>
  /** Whether a GitHub binding of digits only is an account's number. Otherwise it is a name of digits. */
  readonly usesGithubIds: boolean
}

/** Types that have the same number here. */
export function sameTypes(isSame: (type: number) => boolean): [number, ChannelTarget][] {
  return api.CHANNEL_TYPE_LIST.filter(({ type }) => isSame(type)).map(({ type }) => [type, { type }])
}
