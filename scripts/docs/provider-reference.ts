import { api } from '@tidegate/contract'
import {
  CHANNEL_TYPES,
  providerOf,
  PROVIDER_FACTS,
  type KeyLocation,
  type OperationId,
  type Provider,
} from '@tidegate/providers'
import { code, table } from './table.ts'
import { type Language, translate } from './translate.ts'

/** Operations of providers, in the order of the columns. */
const COLUMNS: readonly [title: string, operations: readonly OperationId[]][] = [
  ['Embeddings', ['embeddings']],
  ['Rerank', ['rerank']],
  ['Images', ['image-generation']],
  ['Image edits', ['image-edit', 'image-variation']],
  ['Speech', ['speech']],
  ['Transcription', ['transcription', 'translation']],
  ['Moderation', ['moderations']],
  ['Realtime', ['realtime']],
]

/** A provider and its channel types. */
interface ProviderRow {
  readonly provider: Provider
  readonly types: readonly number[]
  readonly names: readonly string[]
}

/** The texts between the tables. */
interface PageTexts {
  readonly introduction: string
  readonly features: string
  readonly authentication: string
  readonly unsupported: string
  readonly unserved: string
  readonly comma: string
  readonly colon: string
  readonly stop: string
}

const TEXTS: Readonly<Record<Language, PageTexts>> = {
  en: {
    introduction: `# Providers

Channel types, with the features, base URL and key location of each provider. Existing channels can keep a legacy type, but new
channels cannot use it. A request that a provider does not support is rejected before credit is reserved.

Generated from \`packages/providers/src\` by \`npm run docs:write\`. The tests in \`packages/gateway/test/conformance\` check every
row against a fake provider with the documented protocol.`,
    features: '## Supported features',
    authentication: `## Authentication

Every request sends the channel key in this place only. The base URL of a channel replaces the default base URL.`,
    unsupported: `## Unsupported features

Only types 2 and 5 support image tasks, and only type 36 supports music tasks; other rows do not repeat this.`,
    unserved: '## Not served yet',
    comma: ', ',
    colon: ': ',
    stop: '. ',
  },
  zh: {
    introduction: `# 上游供应商

各渠道类型支持的功能、接口地址和密钥的位置。已有渠道可以继续使用旧类型，新渠道不能。供应商不支持的请求，在预留额度之前就会拒绝。

由 \`npm run docs:write\` 根据 \`packages/providers/src\` 生成。\`packages/gateway/test/conformance\` 里的测试用实现了公开协议的模拟供应商核对每一行。`,
    features: '## 支持的功能',
    authentication: `## 认证

每个请求只在这个位置发送渠道密钥。渠道的接口地址会替换默认的接口地址。`,
    unsupported: `## 不支持的功能

只有类型 2 和 5 支持绘图任务，只有类型 36 支持音乐任务，其他行不再重复。`,
    unserved: '## 尚未提供',
    comma: '、',
    colon: '：',
    stop: '；',
  },
}

/** Every channel type with its provider, its operations, and what is missing. */
export function providerReference(language: Language): string {
  const served = api.CHANNEL_TYPE_LIST.filter(({ type, legacy }) => legacy || CHANNEL_TYPES.has(type))
  const unserved = api.CHANNEL_TYPE_LIST.filter((type) => !served.includes(type))
  const providers = providersOf(served, language)
  const texts = TEXTS[language]
  const tableOf = (columns: readonly string[], rows: readonly (readonly string[])[]) =>
    table(
      columns.map((column) => translate(column, language)),
      rows,
    )
  const operations = COLUMNS.map(([title]) => title)
  return [
    texts.introduction,
    texts.features,
    tableOf(
      ['Type', 'Provider', 'Chat protocol', ...operations, 'Tasks', 'Model list', 'Balance'],
      providers.map((row) => abilitiesOf(row, language)),
    ),
    texts.authentication,
    tableOf(
      ['Provider', 'ID', 'Base URL', 'Key'],
      providers.map((row) => keyPlacesOf(row, language)),
    ),
    texts.unsupported,
    `${tableOf(
      ['Provider', 'Not supported'],
      providers.map((row) => lacksOf(row, language)),
    )}\n`,
    ...(unserved.length === 0
      ? []
      : [
          texts.unserved,
          `${tableOf(
            ['Type', 'Provider'],
            unserved.map(({ type, name }) => [String(type), name]),
          )}\n`,
        ]),
  ].join('\n\n')
}

function providersOf(types: typeof api.CHANNEL_TYPE_LIST, language: Language): ProviderRow[] {
  const providers = new Map<Provider, { types: number[]; names: string[] }>()
  for (const { type, name, legacy } of types) {
    const provider = providerOf(type)
    const row = providers.get(provider) ?? { types: [], names: [] }
    row.types.push(type)
    row.names.push(legacy ? `${name} (${translate('legacy', language)})` : name)
    providers.set(provider, row)
  }
  return [...providers].map(([provider, row]) => ({ provider, ...row }))
}

function abilitiesOf({ provider, types, names }: ProviderRow, language: Language): string[] {
  const { chatApis = [], operations = {}, tasks = {}, modelList, balance } = provider
  const mark = (has: boolean) => (has ? translate('yes', language) : '')
  return [
    types.join(', '),
    names.join(', '),
    chatApis.map(({ dialect, encode }) => (encode ? translate('custom', language) : code(dialect))).join(', '),
    ...COLUMNS.map(([, expected]) => mark(expected.some((id) => operations[id]))),
    Object.keys(tasks)
      .map((kind) => translate(kind, language))
      .join(', '),
    mark(modelList !== undefined),
    mark(balance !== undefined),
  ]
}

function keyPlacesOf({ provider: { id, baseUrl, sign }, names }: ProviderRow, language: Language): string[] {
  const elsewhere = translate(sign ? 'by region' : 'set in the channel', language)
  return [names.join(', '), code(id), code(baseUrl) || elsewhere, keyPlace(PROVIDER_FACTS[id]?.key, language)]
}

function keyPlace(place: KeyLocation | undefined, language: Language): string {
  if (!place) return ''
  if (place.as === 'header') return code(`${place.name}: ${place.prefix ?? ''}…`)
  return translate(place.description, language)
}

/** What readers call a capability, if its name in the code is shorter. */
const CAPABILITY_NAMES: Readonly<Record<string, string>> = { counts: 'usage', 'streamed counts': 'usage of streams' }

/** Reasons in order, each with everything it applies to. */
function lacksOf({ provider: { id }, names }: ProviderRow, language: Language): string[] {
  const { comma, colon, stop } = TEXTS[language]
  const byReason = new Map<string, string[]>()
  for (const [capability, reason] of Object.entries(PROVIDER_FACTS[id]?.lacks ?? {})) {
    if (capability === 'drawing' || capability === 'music') continue
    const name = translate(CAPABILITY_NAMES[capability] ?? capability, language)
    byReason.set(reason, [...(byReason.get(reason) ?? []), name])
  }
  const lacks = [...byReason].map(
    ([reason, capabilities]) => capabilities.join(comma) + colon + translate(reason, language),
  )
  return [names.join(', '), lacks.join(stop) || translate('none', language)]
}
