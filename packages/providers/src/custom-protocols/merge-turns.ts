import { cannotExpress, type ChatMessage } from './read-chat-request.ts'

/** Separates the system messages and joins consecutive messages of one role. */
export function mergeTurns(messages: readonly ChatMessage[]): { instructions: string; turns: ChatMessage[] } {
  const turns: ChatMessage[] = []
  for (const message of messages) {
    if (message.role === 'system') continue
    const last = turns.at(-1)
    if (last && canJoin(last, message)) turns[turns.length - 1] = joinTurns(last, message)
    else turns.push(message)
  }
  const instructions = joinTexts(messages.filter(({ role }) => role === 'system'))
  return { instructions, turns }
}

/** For providers that require the first and the last message to come from the user. */
export function startAndEndWithUser(turns: readonly ChatMessage[]): readonly ChatMessage[] {
  if (turns.at(-1)?.role === 'assistant') throw cannotExpress('a conversation that ends with an assistant message')
  return turns[0]?.role === 'assistant' ? [PLACEHOLDER_TURN, ...turns] : turns
}

const PLACEHOLDER_TURN: ChatMessage = { role: 'user', text: '...', images: [], toolCalls: [], toolCallId: '' }

/** Tool calls and their results stay separate messages. */
function canJoin(first: ChatMessage, second: ChatMessage): boolean {
  return (
    first.role === second.role && first.role !== 'tool' && first.toolCalls.length === 0 && second.toolCalls.length === 0
  )
}

function joinTurns(first: ChatMessage, second: ChatMessage): ChatMessage {
  return { ...first, text: joinTexts([first, second]), images: [...first.images, ...second.images] }
}

function joinTexts(messages: readonly ChatMessage[]): string {
  return messages.flatMap(({ text }) => (text === '' ? [] : [text])).join('\n\n')
}
