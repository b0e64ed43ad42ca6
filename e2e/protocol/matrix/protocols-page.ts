import { table } from '../../../scripts/docs/table.ts'
import { UNSUPPORTED, type Exception, exceptionFor } from './unsupported.ts'
import type { Case } from './cases/case.ts'
import { CASES } from './cases/index.ts'
import { type Protocol, PROTOCOL_NAMES, PROTOCOLS } from './conversation.ts'

/** The page about protocols, generated from the tables of the matrix. */
export function protocolsPage(): string {
  const reasons = [...new Set(UNSUPPORTED.map(({ reason }) => reason))]
  const rows = CASES.map((cases) => [
    `**${cases.name}**: ${cases.carries}`,
    ...PROTOCOLS.map((client) => cell(cases, client, reasons)),
  ])
  return `# Protocols

Point any client at Tidegate and use any model in it: the protocol a client speaks and the one its vendor speaks need not
be the same.

| Client | Base URL | Key |
|---|---|---|
| OpenAI SDKs, chat and Responses; Codex | \`https://your-host/v1\` | \`Authorization: Bearer sk-…\` |
| Anthropic SDKs, Claude Code | \`https://your-host\` | \`x-api-key: sk-…\` |
| Google GenAI SDKs, Gemini CLI | \`https://your-host\` | \`x-goog-api-key: sk-…\` |

When client and vendor speak the same protocol, a request is passed on byte for byte but for what the operator sets.
Otherwise it is translated. Content is never lost in silence: what a vendor has no words for is refused with
[\`convert_request_failed\`](reference/errors.md#convert_request_failed). Settings a vendor does not have are left out.

## What each pair carries

Each line is played with the official SDKs against every kind of vendor, whole and streamed, in
\`e2e/protocol/matrix\`; this table is made from the same lists by \`npm run docs:write\`. The columns are what the
client speaks; ✓ is every vendor, whether it speaks OpenAI chat, OpenAI Responses, Anthropic Messages or Gemini.

${table(['', ...PROTOCOLS.map((client) => PROTOCOL_NAMES[client])], rows)}

${reasons.map((reason, index) => `${index + 1}. ${reason}`).join('\n')}

Thoughts are signed by the vendor that had them, and only that vendor can read the signature. A client of another
protocol is given it in an envelope, in the place its own protocol has for such things, and hands it back unread. A
conversation that goes on with another vendor goes on without the earlier thoughts.
`
}

function cell(cases: Case, client: Protocol, reasons: readonly string[]): string {
  const exceptions = PROTOCOLS.map((upstream) => ({ upstream, exception: exceptionFor(cases.name, client, upstream) }))
  const silent = exceptions.find(({ exception }) => exception?.outcome === 'no words')?.exception
  if (silent !== undefined) return `not in this protocol${note(silent, reasons)}`
  const but = exceptions.flatMap(({ upstream, exception }) =>
    exception === undefined ? [] : [`${PROTOCOL_NAMES[upstream]}: ${exception.outcome}${note(exception, reasons)}`],
  )
  return ['✓', ...but].join('<br>')
}

function note({ reason }: Exception, reasons: readonly string[]): string {
  return ` (${reasons.indexOf(reason) + 1})`
}
