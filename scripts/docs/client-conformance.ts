import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { code, table } from './table.ts'
import type { Language } from './translate.ts'

/** Outcome of a test: `client` and `provider` do not have the feature. */
type Outcome = 'pass' | 'fail' | 'client' | 'provider'

interface ClientResults {
  readonly id: string
  readonly name: string
  readonly date: string
  readonly versions: Readonly<Record<string, string>>
  readonly results: Readonly<Record<string, Readonly<Record<string, Outcome>>>>
}

/** As `npm run conformance` writes them. */
interface Results {
  readonly channels: readonly { readonly id: string; readonly name: string; readonly model: string }[]
  readonly clients: readonly ClientResults[]
}

const FILE = join(import.meta.dirname, '../../docs/reference/client-conformance.json')

interface PageTexts {
  readonly introduction: string
  readonly conclusion: string
  readonly overview: string
  readonly client: string
  readonly feature: string
  readonly features: Readonly<Record<string, string>>
  readonly meanings: Readonly<Record<string, string>>
  readonly outcomes: Readonly<Record<Outcome, string>>
  of(passed: number, all: number): string
  tested(versions: string, date: string): string
}

const TEXTS: Readonly<Record<Language, PageTexts>> = {
  en: {
    introduction: `# Client conformance

Which clients work with which type of channel. The tests run the real programs from npm against the built gateway. Each run checks what the
client did: its output, its exit code and the files that its tools changed.`,
    conclusion: `## How the tests work

- Coding agents run with the configuration that the **Connect** dialog of an API token shows. See [Connect your client](../get-started/connect.md).
- The providers are fakes that check requests as strictly as the real ones. They ask for the tools that the client offers. They learn a random word only
  from a tool result, so that a lost result fails the test.
- A version of a client is at least 30 days old.

Run the tests with \`npm run conformance -- --install --out docs/reference/client-conformance.json\`, then \`npm run docs:write\`. This page is generated
from that file.`,
    overview:
      '## Overview\n\nPassed tests by client and type of channel. Features that the client does not use, or that the provider lacks, are not counted.',
    client: 'Client',
    feature: 'Feature',
    features: {
      text: 'Text',
      stream: 'Stream',
      tools: 'Tools',
      session: 'Tool session',
      compaction: 'Compaction',
      thinking: 'Thinking',
      image: 'Image',
      affinity: 'Same account',
      unknownModel: 'Unknown model',
      invalidKey: 'Wrong token',
      noBalance: 'No balance',
      countTokens: 'Count tokens',
      modelList: 'Model list',
    },
    meanings: {
      text: 'The client shows the whole response.',
      stream: 'A long response arrives as a stream.',
      tools: 'Two tool calls in one response, with their results.',
      session: 'Ten turns with tools that read and write files and run commands, each depending on earlier ones.',
      compaction:
        'The context window is full, by the usage and then by an error of the provider. The client compacts the conversation and completes it.',
      thinking:
        'A session in which the model thinks before every tool call. Clients that ask for the thoughts show them.',
      image: 'An image reaches the provider, as an attachment or as a tool result.',
      affinity:
        'All requests of a tool session use the same account of the provider, although there are two channels. SDKs name the session.',
      unknownModel: 'A wrong model name ends the client with a message that names the model. It does not hang.',
      invalidKey: 'A wrong API token ends the client with the message of the gateway.',
      noBalance: 'A used-up balance ends the client with a message about the balance.',
      countTokens: 'The token count of a prompt.',
      modelList: 'The list of models in the form of the client.',
    },
    outcomes: { pass: '✓ works', fail: '✗ fails', client: '– not used', provider: '– not at the provider' },
    of: (passed, all) => `${passed === all ? '✓' : '✗'} ${passed} of ${all}`,
    tested: (versions, date) => `Tested on ${date} with ${versions}.`,
  },
  zh: {
    introduction: `# 客户端兼容性

哪些客户端可以用哪种渠道。测试从 npm 安装真实的程序，连接构建好的网关，并检查客户端实际做了什么：输出、退出码，以及工具改动的文件。`,
    conclusion: `## 测试方法

- 编程助手使用 API 令牌的**连接**对话框给出的配置。见[接入客户端](../get-started/connect.md)。
- 上游是模拟的供应商，检查请求和真实供应商一样严格。它们调用客户端提供的工具，并且只能从工具结果里得到一个随机的词，结果丢失测试就会失败。
- 客户端的版本至少发布了 30 天。

用 \`npm run conformance -- --install --out docs/reference/client-conformance.json\` 运行测试，然后运行 \`npm run docs:write\`。本页根据该文件生成。`,
    overview: '## 概览\n\n各客户端在每种渠道上通过的测试数。客户端不使用或供应商没有的功能不计入。',
    client: '客户端',
    feature: '功能',
    features: {
      text: '文本',
      stream: '流式',
      tools: '工具',
      session: '工具会话',
      compaction: '压缩',
      thinking: '思考',
      image: '图片',
      affinity: '同一账号',
      unknownModel: '未知模型',
      invalidKey: '令牌错误',
      noBalance: '余额用完',
      countTokens: '计算 token',
      modelList: '模型列表',
    },
    meanings: {
      text: '客户端显示完整的回答。',
      stream: '长回答以流式到达。',
      tools: '一次回答里有两个工具调用，结果都送回。',
      session: '十轮工具调用，读写文件、执行命令，每一轮依赖前面的结果。',
      compaction: '上下文窗口用满：先由用量、再由供应商的错误得知。客户端压缩对话，并完成任务。',
      thinking: '模型在每次工具调用前思考的会话。请求思考内容的客户端会显示它。',
      image: '图片作为附件或工具结果到达供应商。',
      affinity: '有两个渠道时，一次工具会话的全部请求也使用供应商的同一个账号。SDK 需要写明会话。',
      unknownModel: '模型名写错时，客户端给出含模型名的提示并结束，不会挂起。',
      invalidKey: 'API 令牌写错时，客户端显示网关的提示并结束。',
      noBalance: '余额用完时，客户端显示有关余额的提示并结束。',
      countTokens: '提示词的 token 数。',
      modelList: '客户端格式的模型列表。',
    },
    outcomes: { pass: '✓ 可用', fail: '✗ 失败', client: '– 未使用', provider: '– 供应商没有' },
    of: (passed, all) => `${passed === all ? '✓' : '✗'} ${passed}/${all}`,
    tested: (versions, date) => `${date} 测试，版本：${versions}。`,
  },
}

/** The page of tested clients, from the results of `npm run conformance`. */
export function clientConformancePage(language: Language): string {
  const { channels, clients } = JSON.parse(readFileSync(FILE, 'utf8')) as Results
  const texts = TEXTS[language]
  const names = channels.map(({ name }) => name)
  const meanings = Object.entries(texts.meanings).map(([id, meaning]) => [texts.features[id]!, meaning])
  const overview = clients.map((client) => [
    client.name,
    ...channels.map(({ id }) => countOf(client.results[id] ?? {}, texts)),
  ])
  return `${texts.introduction}

${table([texts.feature, ''], meanings)}

${texts.overview}

${table([texts.client, ...names], overview)}

${clients.map((client) => clientSection(client, channels, texts)).join('\n\n')}

${texts.conclusion}
`
}

function countOf(outcomes: Readonly<Record<string, Outcome>>, { of }: PageTexts): string {
  const run = Object.values(outcomes).filter((outcome) => outcome === 'pass' || outcome === 'fail')
  return of(run.filter((outcome) => outcome === 'pass').length, run.length)
}

function clientSection(client: ClientResults, channels: Results['channels'], texts: PageTexts): string {
  const { name, date, versions, results } = client
  const packages = Object.entries(versions).map(([each, version]) => code(`${each}@${version}`))
  const rows = Object.entries(texts.features).map(([feature, label]) => [
    label,
    ...channels.map((channel) => texts.outcomes[results[channel.id]?.[feature] ?? 'client']),
  ])
  const columns = channels.map((channel) => `${channel.name}<br>${code(channel.model)}`)
  return `## ${name}

${texts.tested(packages.join(', '), date)}

${table([texts.feature, ...columns], rows)}`
}
