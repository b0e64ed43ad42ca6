import type { CanonicalAnswer, CanonicalEvent, Part } from '@tidegate/dialects'
import type { CatalogChannel } from '../ports/index.ts'

/** A change the operator wants in a channel's answers, in both forms an answer can have. */
export interface Reshape {
  event(event: CanonicalEvent): CanonicalEvent[]
  answer(answer: CanonicalAnswer): CanonicalAnswer
}

/** Whether answers are to be written anew even when client and vendor speak alike. */
export function isRewritten({ setting }: Pick<CatalogChannel, 'setting'>): boolean {
  return setting.force_format === true || setting.thinking_to_content === true
}

export function reshapeFor({ setting }: Pick<CatalogChannel, 'setting'>): Reshape | undefined {
  return setting.thinking_to_content === true ? thinkingAsText() : undefined
}

const OPENING = '<think>\n'
const CLOSING = '\n</think>\n\n'

/** Thoughts become text between two tags, for clients that show nothing else. One text block holds thoughts and answer. */
function thinkingAsText(): Reshape {
  return {
    event(event) {
      switch (event.type) {
        case 'thinking-start':
          return [
            { type: 'text-start', block: event.block },
            { type: 'text-delta', block: event.block, text: OPENING },
          ]
        case 'thinking-delta':
          return [{ type: 'text-delta', block: event.block, text: event.text }]
        case 'thinking-end':
          return [
            { type: 'text-delta', block: event.block, text: CLOSING },
            { type: 'text-end', block: event.block },
          ]
        default:
          return [event]
      }
    },
    answer: (answer) => ({ ...answer, parts: answer.parts.map(thoughtAsText) }),
  }
}

function thoughtAsText(part: Part): Part {
  return part.type === 'thinking' ? { type: 'text', text: OPENING + part.text + CLOSING } : part
}
