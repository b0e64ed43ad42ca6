import type { CanonicalRequest, Message } from '@tidegate/dialects'
import type { ChatContent } from '../ports/index.ts'

/** Limit of each part: enough to see what a request was about. */
export const MAX_CHARACTERS = 16_000

export function chatContent({ messages }: CanonicalRequest, output: string): ChatContent {
  const lastUser = messages.findLastIndex(({ role }) => role === 'user')
  const earlier = messages.filter(({ role }, index) => role !== 'system' && index !== lastUser)
  return {
    systemPrompt: truncate(
      messages
        .filter(({ role }) => role === 'system')
        .map(textOf)
        .join('\n'),
    ),
    context: truncate(earlier.map((message) => `${message.role}: ${textOf(message)}`).join('\n')),
    input: truncate(lastUser === -1 ? '' : textOf(messages[lastUser]!)),
    output: truncate(output),
  }
}

function textOf({ parts }: Message): string {
  const texts = parts.map((part) => {
    switch (part.type) {
      case 'text':
      case 'thinking':
      case 'refusal':
        return part.text
      case 'tool-call':
        return `[${part.name} ${part.arguments}]`
      case 'tool-result':
        return `[${part.content.map((piece) => (piece.type === 'text' ? piece.text : piece.type)).join(' ')}]`
      default:
        return `[${part.type}]`
    }
  })
  return texts.filter((text) => text !== '').join('\n')
}

/** Keys that users paste into a chat must not be logged. */
const SECRETS = /\b(sk-|AIza|AKIA|gsk_|xai-|ghp_|tg[ca]?_|Bearer\s+)[\w.-]{12,}/g

function truncate(text: string): string {
  // Truncated first: the pattern would block the event loop on a very long text.
  const cut = text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text
  return cut.replace(SECRETS, '$1***')
}
