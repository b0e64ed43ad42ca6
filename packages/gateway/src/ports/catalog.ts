import type { Settings } from '@tidegate/contract'

export interface Catalog {
  readonly version: number
  readonly settings: Settings
  /** All channels, including disabled ones. */
  readonly channels: ReadonlyMap<number, CatalogChannel>
  /** Enabled channels that serve the model to the group. */
  channelsFor(group: string, model: string): readonly CatalogChannel[]
  modelsFor(group: string): readonly string[]
}

export interface CatalogChannel {
  readonly id: number
  readonly type: number
  readonly name: string
  readonly enabled: boolean
  readonly keys: readonly string[]
  readonly baseUrl: string
  readonly models: readonly string[]
  readonly groups: readonly string[]
  readonly priority: number
  readonly weight: number
  readonly modelMapping: ReadonlyMap<string, string>
  readonly statusCodeMapping: ReadonlyMap<number, number>
  readonly paramOverride?: Readonly<Record<string, unknown>>
  readonly headerOverride?: ReadonlyMap<string, string>
  readonly systemPrompt?: string
  readonly openaiOrganization?: string
  /** A free field whose meaning depends on the provider. */
  readonly other?: string
  readonly modelPrefix: string
  readonly maxInputTokens: number
  readonly setting: Readonly<Record<string, unknown>>
  readonly autoBan: boolean
  /** Fields that could not be parsed. A channel with one is skipped: it would not do what its operator configured. */
  readonly unreadable?: readonly string[]
}
