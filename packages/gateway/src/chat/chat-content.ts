import type { CanonicalRequest, Message } from '@tidegate/dialects'
import type { ChatContent } from '../ports/index.ts'

/** Of each part, in letters: enough to see what a call was about; nobody reads a book in a log. */
export const KEPT_LETTERS = 16_000

export function chatContent({ messages }: CanonicalRequest, output: string): ChatContent {
  const lastUser = messages.findLastIndex(({ role }) => role === 'user')
  const said = messages.filter(({ role }, index) => role !== 'system' && index !== lastUser)
  return {
    systemPrompt: kept(
      messages
        .filter(({ role }) => role === 'system')
        .map(wordsOf)
        .join('\n'),
    ),
    context: kept(said.map((message) => `${message.role}: ${wordsOf(message)}`).join('\n')),
    input: kept(lastUser === -1 ? '' : wordsOf(messages[lastUser]!)),
    output: kept(output),
  }
}

function wordsOf({ parts }: Message): string {
  const words = parts.map((part) => {
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
  return words.filter((word) => word !== '').join('\n')
}

/** Keys people paste into a chat are not for the log. */
const SECRETS = /\b(sk-|AIza|AKIA|gsk_|xai-|ghp_|tg[ca]_|Bearer\s+)[\w.-]{12,}/g

function kept(text: string): string {
  // Cut first: a pattern over a book would hold up the streams of others.
  const cut = text.length > KEPT_LETTERS ? `${text.slice(0, KEPT_LETTERS)}…` : text
  return cut.replace(SECRETS, '$1***')
}
