import { type AnthropicMessage, blocksOf } from './request.ts'
import { demand } from '../checks.ts'

/** Every tool_use is answered in the very next message, before anything else in it, and nothing else is answered. */
export function checkToolTurns(messages: readonly AnthropicMessage[], hasTools: boolean): void {
  let open: readonly string[] = []
  messages.forEach(({ content }, index) => {
    const blocks = blocksOf(content)
    const results = blocks.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id!] : []))
    for (const id of results) {
      demand(open.includes(id), `messages.${index}: tool_result without a tool_use in the message before it: ${id}`)
    }
    demand(new Set(results).size === results.length, `messages.${index}: each tool_use must have a single result`)
    const missing = open.filter((id) => !results.includes(id))
    demand(
      missing.length === 0,
      `messages.${index}: tool_use without tool_result in the next message: ${missing.join()}`,
    )
    const lead = blocks.slice(0, results.length).every(({ type }) => type === 'tool_result')
    demand(lead, `messages.${index}: tool_result blocks must come before other content`)

    open = blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id!] : []))
    demand(new Set(open).size === open.length, `messages.${index}: tool_use ids must be unique`)
    demand(hasTools || results.length + open.length === 0, 'tools: Field required when messages have tool blocks')
  })
  demand(open.length === 0, `messages: tool_use without tool_result in the next message: ${open.join()}`)
}
