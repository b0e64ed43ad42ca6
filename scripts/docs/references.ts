import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ERRORS, LOG_EVENTS, type LogEvent } from '@tidegate/contract'
import { protocolsPage } from '../../e2e/protocol/matrix/protocols-page.ts'
import { apiPages } from './api-reference.ts'
import { clientConformancePage } from './client-conformance.ts'
import { codeMap, codeMapPicture } from './code-map/code-map.ts'
import { OPTION_PAGES } from './option-reference.ts'
import { commandReference, metricReference } from './product-reference.ts'
import { providerReference } from './provider-reference.ts'
import { code, table } from './table.ts'
import { type Language, translate } from './translate.ts'

/** Generated pages by path: from the contract, the providers, the sources and the tables of tests. */
export const REFERENCES: Readonly<Record<string, () => string>> = {
  'docs/images/code-map.svg': codeMapPicture,
  'docs/reference/protocols.md': () => protocolsPage('en'),
  'docs/zh/reference/protocols.md': () => protocolsPage('zh'),
  'docs/reference/client-conformance.md': () => clientConformancePage('en'),
  'docs/zh/reference/client-conformance.md': () => clientConformancePage('zh'),
  ...apiPages(),
  'docs/project/code-map.md': codeMap,
  'docs/project/decisions.md': decisionReference,
  'docs/reference/cli.md': () => commandReference('en'),
  'docs/zh/reference/cli.md': () => commandReference('zh'),
  'docs/reference/errors.md': errorReference,
  'docs/zh/reference/errors.md': chineseErrorReference,
  'docs/reference/log-events.md': () => logEventReference('en'),
  'docs/zh/reference/log-events.md': () => logEventReference('zh'),
  'docs/reference/metrics.md': () => metricReference('en'),
  'docs/zh/reference/metrics.md': () => metricReference('zh'),
  ...OPTION_PAGES,
  'docs/reference/providers.md': () => providerReference('en'),
  'docs/zh/reference/providers.md': () => providerReference('zh'),
}

const errorRows = () =>
  Object.entries(ERRORS)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { status, en, zh }]) => ({
      name: `<a id="${name}"></a>${code(name)}`,
      status: String(status),
      en,
      zh,
    }))

function errorReference(): string {
  const rows = errorRows().map(({ name, status, en, zh }) => [name, status, en, zh])
  return `# Errors

Every error has a stable code. Endpoints below \`/api\` return it as \`code\` in the envelope, with a sentence in the caller's
language as \`message\`. The gateway returns it in the error format of the caller's protocol. Names in braces are
placeholders. With status 200, the envelope has \`success: false\`. [Troubleshoot](../guides/troubleshoot.md) says what to do.

Generated from \`packages/contract/src/errors.ts\` by \`npm run docs:write\`.

${table(['Code', 'Status', 'English', '中文'], rows)}
`
}

function chineseErrorReference(): string {
  const rows = errorRows().map(({ name, status, zh, en }) => [name, status, zh, en])
  return `# 错误码

每种错误都有固定的代码。\`/api\` 下的接口在响应的 \`code\` 中返回它，\`message\` 是调用者语言的说明；网关按调用者协议的错误格式返回。
花括号中的是占位符。状态码为 200 时，响应中 \`success\` 为 \`false\`。处理办法见[故障排查](../guides/troubleshoot.md)。

由 \`npm run docs:write\` 根据 \`packages/contract/src/errors.ts\` 生成。

${table(['代码', '状态码', '中文', 'English'], rows)}
`
}

const DECISIONS = join(import.meta.dirname, '../../docs/adr')

function decisionReference(): string {
  const rows = readdirSync(DECISIONS)
    .filter((name) => name.endsWith('.md'))
    .toSorted()
    .map((name) => [name.slice(0, 4), `[${titleOf(name)}](../adr/${name})`])
  return `# Decisions

Architecture decisions: the context, the decision, its consequences and the alternatives.

Generated from \`docs/adr\` by \`npm run docs:write\`.

${table(['Number', 'Decision'], rows)}
`
}

/** The heading without the number, which has its own column. */
function titleOf(name: string): string {
  const heading = /^# (.+)$/m.exec(readFileSync(join(DECISIONS, name), 'utf8'))?.[1] ?? name
  return heading.replace(/^(?:ADR )?\d{4}[.:]?\s*/, '')
}

const LOG_EVENT_PAGES: Readonly<Record<Language, { introduction: string; columns: readonly string[] }>> = {
  en: {
    introduction: `# Log events

Every line of the server log has an \`event\` code, a constant message and fields. Codes do not change: alert on them. \`err\` is an error
with its stack. \`requestId\` finds the request in the console.

Generated from \`packages/contract/src/log-events\` by \`npm run docs:write\`.`,
    columns: ['Event', 'Level', 'Meaning', 'What to do'],
  },
  zh: {
    introduction: `# 日志事件

服务器日志的每一行都有 \`event\` 代码、固定的消息和字段。代码不会变，告警请用它。\`err\` 是错误和调用栈，用 \`requestId\` 可以在控制台找到请求。

由 \`npm run docs:write\` 根据 \`packages/contract/src/log-events\` 生成。`,
    columns: ['事件', '级别', '含义', '处理'],
  },
}

function logEventReference(language: Language): string {
  const { introduction, columns } = LOG_EVENT_PAGES[language]
  const rows = Object.entries<LogEvent>(LOG_EVENTS)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { level, meaning, action }]) => [
      `<a id="${name}"></a>${code(name)}`,
      level,
      translate(meaning, language),
      action === undefined ? '' : translate(action, language),
    ])
  return `${introduction}\n\n${table(columns, rows)}\n`
}
