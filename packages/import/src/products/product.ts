import { api } from '@tidegate/contract'

/** The channel type here for a type of another product. */
export interface ChannelTarget {
  readonly type: number
  /** The default address, for OpenAI-compatible providers without their own type here. */
  readonly baseUrl?: string
  /** Why channels of this type are imported disabled and without their keys. */
  readonly disabledReason?: string
}

/** The differences between products of the one-api family. */
export interface Product {
  readonly name: 'one-api' | 'new-api' | 'veloera'
  /** By the type number of the product. Other types do not exist here. */
  readonly channelTypes: ReadonlyMap<number, ChannelTarget>
  /** Names of types that do not exist here, for the report. */
  readonly otherTypes: Readonly<Record<number, string>>
  readonly tokenColumns: {
    readonly models: string
    readonly addresses: string
    /** The column that enables the model list. Without it, a list that is not blank applies. */
    readonly modelsEnabled?: string
  }
  /** Our log types by those of the product. Rows of other types are left out. */
  readonly logTypes: Readonly<Record<number, number>>
  /** The column for the duration of a request, and its unit in milliseconds. */
  readonly logDuration: { readonly column: string; readonly unitMs: number }
  /** The default of `AutoGroups`; undefined when tokens cannot have the group `auto`. */
  readonly autoGroups?: readonly string[]
  /** Options that have another name here. */
  readonly optionNames: Readonly<Record<string, string>>
  /** Whether a GitHub link of digits is an account ID. Otherwise it is a login name. */
  readonly usesGithubIds: boolean
}

/** Types that have the same number here. */
export function sameTypes(isSame: (type: number) => boolean): [number, ChannelTarget][] {
  return api.CHANNEL_TYPE_LIST.filter(({ type }) => isSame(type)).map(({ type }) => [type, { type }])
}
