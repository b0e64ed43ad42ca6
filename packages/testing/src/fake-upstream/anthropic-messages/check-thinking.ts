import { REDACTED } from './message.ts'
import { type AnthropicMessage, type Block, blocksOf, type MessagesRequest } from './request.ts'
import { demand } from '../checks.ts'
import type { Vendor } from '../types.ts'

/** Refuses settings that do not go with thinking, and thoughts that are not the ones Anthropic signed. */
export function checkThinking(request: MessagesRequest, { signatures }: Vendor): void {
  const { messages = [], thinking } = request
  messages.forEach(({ content }, index) => {
    blocksOf(content).forEach((block, at) => {
      const where = `messages.${index}.content.${at}`
      if (block.type === 'redacted_thinking') {
        const own = signatures.subjectOf('anthropic-messages', block.data) === REDACTED
        return demand(own, `${where}: Invalid \`data\` in \`redacted_thinking\` block`)
      }
      if (block.type !== 'thinking') return
      demand(typeof block.thinking === 'string', `${where}.thinking.thinking: Field required`)
      const signed = signatures.subjectOf('anthropic-messages', block.signature)
      demand(signed !== undefined, `${where}: Invalid \`signature\` in \`thinking\` block`)
      demand(signed === block.thinking, `${where}: \`thinking\` blocks cannot be modified`)
    })
  })
  if (thinking?.type === 'adaptive') return checkToolLoop(messages)
  if (thinking === undefined || thinking.type === 'disabled') return
  demand(thinking.type === 'enabled', `thinking.type: '${thinking.type}' is not enabled, disabled or adaptive`)
  checkBudget(request)
  checkToolLoop(messages)
}

function checkBudget(request: MessagesRequest): void {
  const { thinking, max_tokens: limit, temperature = 1, tool_choice: choice, top_k: topK, top_p: topP = 1 } = request
  const budget = thinking?.budget_tokens
  demand(budget !== undefined, 'thinking.enabled.budget_tokens: Field required')
  demand(budget >= 1024, 'thinking.enabled.budget_tokens: must be 1024 or more')
  demand(budget < Number(limit), '`max_tokens` must be greater than `thinking.budget_tokens`')
  demand(temperature === 1, '`temperature` may only be set to 1 when thinking is enabled')
  demand(topP >= 0.95, '`top_p` must be 0.95 or more when thinking is enabled')
  demand(topK === undefined, '`top_k` must be unset when thinking is enabled')
  const forced = choice?.type === 'any' || choice?.type === 'tool'
  demand(!forced, 'Thinking may not be enabled when tool_choice forces tool use')
}

/** While tools are at work, the turn that called them must begin with the thought that led to it. */
function checkToolLoop(messages: readonly AnthropicMessage[]): void {
  const isRunning = has(messages.at(-1), 'tool_result')
  if (!isRunning) return
  const calling = messages.at(-2)
  const first = blocksOf(calling?.content)[0]
  const thinks = first?.type === 'thinking' || first?.type === 'redacted_thinking'
  demand(
    thinks,
    `messages.${messages.length - 2}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, found \`${first?.type}\``,
  )
}

function has(message: AnthropicMessage | undefined, type: Block['type']): boolean {
  return blocksOf(message?.content).some((block) => block.type === type)
}
