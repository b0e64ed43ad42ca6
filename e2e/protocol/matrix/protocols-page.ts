import { table } from '../../../scripts/docs/table.ts'
import { UNSUPPORTED, type Exception, exceptionFor } from './unsupported.ts'
import type { Case } from './cases/case.ts'
import { CASES } from './cases/index.ts'
import { type Protocol, PROTOCOL_NAMES, PROTOCOLS } from './conversation.ts'

/** The page about protocols, generated from the tables of the matrix. */
export function protocolsPage(): string {
  const reasons = [...new Set(UNSUPPORTED.map(({ reason }) => reason))]
  const rows = CASES.map((testCase) => [
    `**${testCase.name}**: ${testCase.carries}`,
    ...PROTOCOLS.map((client) => cell(testCase, client, reasons)),
  ])
  return `# Protocols

Point any client at Tidegate and use any model with it. The client and the provider can use different protocols.

| Client | Base URL | Key |
|---|---|---|
| OpenAI SDKs, chat and Responses; Codex | \`https://your-host/v1\` | \`Authorization: Bearer sk-…\` |
| Anthropic SDKs, Claude Code | \`https://your-host\` | \`x-api-key: sk-…\` or \`Authorization: Bearer sk-…\` |
| Google GenAI SDKs, Gemini CLI | \`https://your-host\` | \`x-goog-api-key: sk-…\` |

If client and provider use the same protocol, Tidegate forwards the request unchanged, except for settings of the operator.
Gemini requests without \`safetySettings\` get those of the option \`gemini.safety_settings\`.

Otherwise Tidegate converts the request. It never drops messages, files or tool results: a request that the provider's protocol
cannot express is rejected with [\`convert_request_failed\`](errors.md#convert_request_failed). Settings that the other protocol lacks are
left out, and so are tools that the provider runs, such as web search.

## Supported features

The tests in \`e2e/protocol/matrix\` run each row with the official SDKs against each provider protocol, with and without
streaming. \`npm run docs:write\` generates this table from the same lists. A column is the protocol of the client. ✓ means that
the feature works with all provider protocols: OpenAI chat, OpenAI Responses, Anthropic Messages and Gemini.

${table(['', ...PROTOCOLS.map((client) => PROTOCOL_NAMES[client])], rows)}

${reasons.map((reason, index) => `${index + 1}. ${reason}`).join('\n')}

Providers sign the thinking of their models, and only the same provider can read the signature. Tidegate wraps the signature in
a field that the client's protocol sends back unchanged. A conversation that continues with another provider loses the
earlier thinking.
`
}

function cell(testCase: Case, client: Protocol, reasons: readonly string[]): string {
  const exceptions = PROTOCOLS.map((upstream) => ({
    upstream,
    exception: exceptionFor(testCase.name, client, upstream),
  }))
  const missing = exceptions.find(({ exception }) => exception?.outcome === 'not in protocol')?.exception
  if (missing !== undefined) return `not in this protocol${note(missing, reasons)}`
  const but = exceptions.flatMap(({ upstream, exception }) =>
    exception === undefined ? [] : [`${PROTOCOL_NAMES[upstream]}: ${exception.outcome}${note(exception, reasons)}`],
  )
  return ['✓', ...but].join('<br>')
}

function note({ reason }: Exception, reasons: readonly string[]): string {
  return ` (${reasons.indexOf(reason) + 1})`
}
