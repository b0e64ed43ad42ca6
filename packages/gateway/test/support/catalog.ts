import { DEFAULT_PRICES, listedModel, readSettings, type Settings } from '@tidegate/contract'
import type { CallerRecord, Catalog, CatalogChannel } from '../../src/ports/index.ts'

export function aChannel(fields: Partial<CatalogChannel> = {}): CatalogChannel {
  return {
    id: 1,
    type: 1,
    name: 'one',
    enabled: true,
    keys: ['provider-key'],
    baseUrl: '',
    models: ['gpt-4o'],
    groups: ['default'],
    priority: 0,
    weight: 0,
    modelMapping: new Map(),
    statusCodeMapping: new Map(),
    modelPrefix: '',
    maxInputTokens: 0,
    setting: {},
    autoBan: true,
    ...fields,
  }
}

export function aCatalog(channels: readonly CatalogChannel[], settings: Partial<Settings> = {}): Catalog {
  const serving = (group: string) => channels.filter(({ enabled, groups }) => enabled && groups.includes(group))
  return {
    version: 1,
    settings: { ...readSettings(new Map()), ...outputRatios(settings), ...settings },
    channels: new Map(channels.map((channel) => [channel.id, channel])),
    channelsFor: (group, model) => serving(group).filter(({ models }) => models.includes(model)),
    modelsFor: (group) => [...new Set(serving(group).flatMap(({ models }) => models))].toSorted(),
  }
}

/** Output of models that only a test knows costs as much as input, unless the test sets another ratio. */
function outputRatios({ ModelRatio = {} }: Partial<Settings>): Pick<Settings, 'CompletionRatio'> {
  const own = Object.keys(ModelRatio).filter((model) => !listedModel(model))
  return {
    CompletionRatio: { ...DEFAULT_PRICES.completionRatio, ...Object.fromEntries(own.map((model) => [model, 1])) },
  }
}

export function aCaller(fields: Partial<CallerRecord> = {}): CallerRecord {
  return {
    userId: 7,
    username: 'ada',
    userStatus: 1,
    userRole: 1,
    userGroup: 'default',
    userSetting: { acceptUnsetRatio: false, showIp: false },
    tokenId: 70,
    tokenName: 'laptop',
    tokenStatus: 1,
    expiredTime: -1,
    unlimitedQuota: true,
    remainQuota: 0,
    modelLimitsEnabled: false,
    modelLimits: [],
    allowIps: '',
    tokenGroup: '',
    ...fields,
  }
}
