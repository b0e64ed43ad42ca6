import { cannotExpress, type ChatMessage } from './read-chat-request.ts'

/** The instructions apart from the conversation, in which two messages of one side in a row are one. */
export function takeTurns(messages: readonly ChatMessage[]): { instructions: string; turns: ChatMessage[] } {
  const turns: ChatMessage[] = []
  for (const message of messages) {
    if (message.role === 'system') continue
    const last = turns.at(-1)
    if (last && mayJoin(last, message)) turns[turns.length - 1] = joined(last, message)
    else turns.push(message)
  }
  const instructions = textsOf(messages.filter(({ role }) => role === 'system'))
  return { instructions, turns }
}

/** For vendors that insist that the client begins, and that it has the last word. */
export function betweenClients(turns: readonly ChatMessage[]): readonly ChatMessage[] {
  if (turns.at(-1)?.role === 'assistant') throw cannotExpress('an answer to go on with')
  return turns[0]?.role === 'assistant' ? [SILENCE, ...turns] : turns
}

const SILENCE: ChatMessage = { role: 'user', text: '...', images: [], calls: [], callId: '' }

/** Calls and their results stand by themselves. */
function mayJoin(first: ChatMessage, second: ChatMessage): boolean {
  return first.role === second.role && first.role !== 'tool' && first.calls.length === 0 && second.calls.length === 0
}

function joined(first: ChatMessage, second: ChatMessage): ChatMessage {
  return { ...first, text: textsOf([first, second]), images: [...first.images, ...second.images] }
}

function textsOf(messages: readonly ChatMessage[]): string {
  return messages.flatMap(({ text }) => (text === '' ? [] : [text])).join('\n\n')
}
