import type { JsonObject } from '../../json/json-object.ts'
import { type ItemStatus, messageItem, refusalContent, textContent } from '../output-items.ts'
import type { BlockWriter } from './block-writer.ts'
import { membersOf } from '../../sse/write-frame.ts'
import type { Scribe } from './stream-writer.ts'

export type MessageWriter = ReturnType<typeof openMessage>

/** Writes a message. Blocks of words that follow each other are parts of one. */
export function openMessage(scribe: Scribe) {
  const { id, index } = scribe.place('msg')
  const content: JsonObject[] = []
  let openParts = 0
  let isLeft = false
  scribe.added(index, messageItem(id, [], 'in_progress'))

  function finish(status: ItemStatus): void {
    scribe.done(index, messageItem(id, content, status))
  }

  return {
    open(kind: 'text' | 'refusal'): BlockWriter {
      const contentOf = kind === 'text' ? textContent : refusalContent
      const at = { item_id: id, output_index: index, content_index: content.length }
      const event = kind === 'text' ? 'response.output_text' : 'response.refusal'
      const deltaAt = membersOf(kind === 'text' ? { ...at, logprobs: [] } : at)
      let text = ''
      openParts += 1
      content.push(contentOf(''))
      scribe.frame('response.content_part.added', { ...at, part: contentOf('') })
      return {
        write(piece): void {
          text += piece
          scribe.delta(`${event}.delta`, deltaAt, piece)
        },
        end(): void {
          const part = contentOf(text)
          content[at.content_index] = part
          scribe.frame(`${event}.done`, kind === 'text' ? { ...at, text, logprobs: [] } : { ...at, refusal: text })
          scribe.frame('response.content_part.done', { ...at, part })
          openParts -= 1
          if (isLeft && openParts === 0) finish('completed')
        },
      }
    },
    /** Nothing more is said in it: it is over now, or once its last part is. */
    leave(status: ItemStatus = 'completed'): void {
      isLeft = true
      if (openParts === 0) finish(status)
    },
  }
}
