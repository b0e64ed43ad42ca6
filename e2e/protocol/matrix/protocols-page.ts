import { table } from '../../../scripts/docs/table.ts'
import { type Language, translate } from '../../../scripts/docs/translate.ts'
import { UNSUPPORTED, type Exception, exceptionFor } from './unsupported.ts'
import type { Case } from './cases/case.ts'
import { CASES } from './cases/index.ts'
import { type Protocol, PROTOCOL_NAMES, PROTOCOLS, upstreamsOf } from './conversation.ts'

interface PageTexts {
  readonly introduction: string
  readonly conclusion: string
  readonly colon: string
  note(number: number): string
}

const TEXTS: Readonly<Record<Language, PageTexts>> = {
  en: {
    introduction: `# Protocols

Point any client at Tidegate and use any model with it. The client and the provider can use different protocols.

| Client | Base URL | Key |
|---|---|---|
| OpenAI SDKs, chat and Responses; Codex | \`https://your-host/v1\` | \`Authorization: Bearer sk-…\` |
| Anthropic SDKs, Claude Code | \`https://your-host\` | \`x-api-key: sk-…\` or \`Authorization: Bearer sk-…\` |
| Google GenAI SDKs, Gemini CLI | \`https://your-host\` | \`x-goog-api-key: sk-…\` |

If client and provider use the same protocol, Tidegate forwards the request unchanged, except for settings of the operator.
Gemini requests without \`safetySettings\` get those of the option \`gemini.safety_settings\`.

Otherwise Tidegate converts the request. It never drops messages, files or tool results: a request that the provider's protocol
cannot express is rejected with [\`convert_request_failed\`](errors.md#convert_request_failed). Settings that the other protocol or the
model lacks are left out. The response header \`x-tidegate-dropped\` and the request page of the console name them. They also
name what a response loses, such as log probabilities or a citation of a file, as \`response: logprobs\`. For a stream, only the request page names it.

| Part of a request or response | Conversion |
|---|---|
| Web search of the provider | Converted between OpenAI, Anthropic and Gemini, with its queries, results and citations. |
| Search that the provider cannot run as requested | Left out if the request has other tools, otherwise rejected. Examples: a provider without search, a domain filter for Gemini, \`external_web_access: false\`. Another channel that can search is used first. |
| Code execution and URL context of interactions | Converted for Vertex AI |
| Beta features of Anthropic (\`anthropic-beta\`) | Sent to Anthropic unchanged, and to Amazon Bedrock and Vertex AI without those that these clouds reject |
| Other tools of the provider | Left out if the request has other tools, otherwise rejected |
| Search next to functions for Gemini models before 3 | The search is left out |
| \`search_result\` blocks, titles and context of documents | Text |
| Failed tool results | A flag for Anthropic, \`error\` for Gemini, the prefix \`Error:\` for OpenAI |
| Citations of Anthropic documents, \`safeguards\` | Rejected |
| \`cache_control\` | A cache breakpoint of 30 minutes for OpenAI models that accept breakpoints, at most four. Left out for others. |
| OpenAI cache breakpoints | \`cache_control\` of 5 minutes, or 1 hour for a life of 12 hours |
| Calls and results of hosted tools in earlier turns | Left out. The text of the response stays. |

OpenAI accepts tools of newer models only on its Responses API. Tidegate sends such a chat there, and sends a chat again by
Responses, with the same key, if the provider's error asks for it. To prevent both, set the API of the channel to Chat Completions.
The rules for each model family are part of the price catalogue.

## Supported features

The tests in \`e2e/protocol/matrix\` run each row with the official SDKs against each provider protocol, with and without
streaming. \`npm run docs:write\` generates this table from the same lists. A column is the protocol of the client. ✓ means that
the feature works with all provider protocols: OpenAI chat, OpenAI Responses, Anthropic Messages and Gemini. Gemini receives
interactions as such, and everything else by generateContent.`,
    conclusion: `Providers sign the thinking of their models, and only the same provider can read the signature. Tidegate wraps the signature in
a field that the client's protocol sends back unchanged. A conversation that continues with another provider loses the
earlier thinking. So does one that continues with another account of the same provider, if that rejects the signature: Tidegate sends the
request once more without the thinking.`,
    colon: ': ',
    note: (number) => ` (${number})`,
  },
  zh: {
    introduction: `# 协议转换

任何客户端都可以接入 Tidegate，使用任何模型。客户端和供应商的协议可以不同。

| 客户端 | 接口地址 | 密钥 |
|---|---|---|
| OpenAI SDK（Chat 与 Responses）、Codex | \`https://your-host/v1\` | \`Authorization: Bearer sk-…\` |
| Anthropic SDK、Claude Code | \`https://your-host\` | \`x-api-key: sk-…\` 或 \`Authorization: Bearer sk-…\` |
| Google GenAI SDK、Gemini CLI | \`https://your-host\` | \`x-goog-api-key: sk-…\` |

客户端和供应商协议相同时，请求原样转发，只加上站长的设置。不带 \`safetySettings\` 的 Gemini 请求使用选项 \`gemini.safety_settings\` 的值。

协议不同时，Tidegate 转换请求。消息、文件和工具结果绝不会丢：供应商的协议无法表达的请求会以
[\`convert_request_failed\`](errors.md#convert_request_failed) 拒绝。对方协议或模型没有的设置会省略，响应头 \`x-tidegate-dropped\` 和控制台的请求页会列出它们。
响应中无法转换的内容（例如对数概率、文件引用）也会列出，写作 \`response: logprobs\`；流式响应只在请求页列出。

| 请求或回答的部分 | 转换 |
|---|---|
| 供应商的联网搜索 | 在 OpenAI、Anthropic、Gemini 之间转换，包括查询、结果和引用 |
| 供应商做不到的搜索 | 请求还有其他工具时省略，否则拒绝。例如供应商不支持搜索、Gemini 的域名过滤、\`external_web_access: false\`。能搜索的其他渠道优先 |
| Interactions 的代码执行和 URL 上下文 | 为 Vertex AI 转换 |
| Anthropic 的测试功能（\`anthropic-beta\`） | 原样发给 Anthropic；发给 Amazon Bedrock 和 Vertex AI 时去掉它们会拒绝的 |
| 供应商的其他工具 | 请求还有其他工具时省略，否则拒绝 |
| Gemini 3 以前的模型同时使用搜索和函数 | 省略搜索 |
| \`search_result\` 块、文档的标题和上下文 | 变成文本 |
| 失败的工具结果 | Anthropic 用标志，Gemini 用 \`error\`，OpenAI 加前缀 \`Error:\` |
| Anthropic 文档引用、\`safeguards\` | 拒绝 |
| \`cache_control\` | 对接受缓存断点的 OpenAI 模型，变成 30 分钟的断点，最多四个；其他模型省略 |
| OpenAI 的缓存断点 | 变成 5 分钟的 \`cache_control\`；有效期 12 小时的变成 1 小时 |
| 之前轮次里由供应商执行的工具的调用和结果 | 省略，回答的文本保留 |

OpenAI 较新的模型只在 Responses 接口接受工具。这样的对话由 Tidegate 发到 Responses；如果供应商的报错要求用 Responses，也会用同一个密钥再发一次。
不想这样，就把渠道的接口设为 Chat Completions。每个模型系列的规则在价格目录里。

## 支持的功能

\`e2e/protocol/matrix\` 里的测试用官方 SDK 对每种供应商协议跑每一行，流式和非流式各一遍；\`npm run docs:write\` 根据同样的列表生成此表。
每一列是客户端的协议。✓ 表示对全部供应商协议都可用：OpenAI chat、OpenAI Responses、Anthropic Messages 和 Gemini。Gemini 以 Interactions 接收交互，其他请求用 generateContent。`,
    conclusion: `供应商会给模型的思考内容签名，只有它自己能读。Tidegate 把签名放进客户端协议会原样送回的字段里。换到另一家供应商继续的对话，会失去之前的思考内容。换到同一家供应商的另一个账号、而它拒绝签名时也一样：Tidegate 会去掉思考内容再发一次请求。`,
    colon: '：',
    note: (number) => `（${number}）`,
  },
}

/** The page about protocols, generated from the tables of the matrix. */
export function protocolsPage(language: Language): string {
  const { introduction, conclusion, colon } = TEXTS[language]
  const reasons = [...new Set(UNSUPPORTED.map(({ reason }) => reason))]
  const rows = CASES.map((testCase) => [
    `**${translate(testCase.name, language)}**${colon}${translate(testCase.carries, language)}`,
    ...PROTOCOLS.map((client) => cell(testCase, client, reasons, language)),
  ])
  const notes = reasons.map((reason, index) => `${index + 1}. ${translate(reason, language)}`)
  return `${introduction}

${table(['', ...PROTOCOLS.map((client) => PROTOCOL_NAMES[client])], rows)}

${notes.join('\n')}

${conclusion}
`
}

function cell(testCase: Case, client: Protocol, reasons: readonly string[], language: Language): string {
  const exceptions = upstreamsOf(client).map((upstream) => ({
    upstream,
    exception: exceptionFor(testCase.name, client, upstream),
  }))
  const { colon, note } = TEXTS[language]
  const noteOf = ({ reason }: Exception) => note(reasons.indexOf(reason) + 1)
  const missing = exceptions.find(({ exception }) => exception?.outcome === 'not in protocol')?.exception
  if (missing !== undefined) return translate('not in this protocol', language) + noteOf(missing)
  const but = exceptions.flatMap(({ upstream, exception }) =>
    exception === undefined
      ? []
      : [PROTOCOL_NAMES[upstream] + colon + translate(exception.outcome, language) + noteOf(exception)],
  )
  return ['✓', ...but].join('<br>')
}
