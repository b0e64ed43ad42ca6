import type { Signature } from '../../canonical/index.ts'
import type { JsonObject } from '../../json/json-object.ts'
import { membersOf } from '../../sse/write-frame.ts'
import {
  type AnsweredCall,
  callItem,
  callSignatureItem,
  type ItemStatus,
  messageItem,
  refusalContent,
  textContent,
  thoughtItem,
} from '../output-items.ts'
import { isWorthKeeping, sealedId } from '../signatures.ts'
import type { NamedTool } from '../tool-names.ts'
import type { Scribe } from './stream-writer.ts'

/** Writes one block of an answer into the stream. */
export interface BlockWriter {
  write(text: string): void
  end(ending: Ending): void
}

interface Ending {
  readonly signature?: Signature
  readonly redacted?: boolean
  /** Whether the block was cut off. */
  readonly status?: 'completed' | 'incomplete'
}

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

/** Writes a thought as the one section of a summary. It begins with its first word: one without words may be nothing. */
export function openReasoning(scribe: Scribe): BlockWriter {
  let place: ReturnType<Scribe['place']> | undefined
  let deltaAt = ''
  let text = ''

  function begin() {
    const begun = scribe.place('rs')
    scribe.added(begun.index, thoughtItem(begun.id, '', {}))
    const at = { item_id: begun.id, output_index: begun.index, summary_index: 0 }
    scribe.frame('response.reasoning_summary_part.added', { ...at, part: { type: 'summary_text', text: '' } })
    deltaAt = membersOf(at)
    return begun
  }

  return {
    write(piece): void {
      place ??= begin()
      text += piece
      scribe.delta('response.reasoning_summary_text.delta', deltaAt, piece)
    },
    end(sealed): void {
      if (place) {
        const at = { item_id: place.id, output_index: place.index, summary_index: 0 }
        scribe.frame('response.reasoning_summary_text.done', { ...at, text })
        scribe.frame('response.reasoning_summary_part.done', { ...at, part: { type: 'summary_text', text } })
        scribe.done(place.index, thoughtItem(place.id, text, sealed))
      } else if (isWorthKeeping(sealed.signature)) {
        const { id, index } = scribe.place('rs')
        const item = thoughtItem(sealedId(sealed.signature) ?? id, '', sealed)
        scribe.added(index, item)
        scribe.done(index, item)
      }
    },
  }
}

/** Writes a call. That of a text tool is known only when its JSON is whole, so its text comes in one piece at the end. */
export function openCall(
  scribe: Scribe,
  call: AnsweredCall & { readonly signature?: Signature },
  tool: NamedTool | undefined,
): BlockWriter {
  if (call.signature) writeSignature(scribe, call.id, call.signature)
  const takesText = tool?.takesText === true
  const { id, index } = scribe.place(takesText ? 'ctc' : 'fc')
  const at = { item_id: id, output_index: index }
  const deltaAt = membersOf(at)
  let written = ''
  scribe.added(index, callItem(id, { call, tool, written, status: 'in_progress' }))

  return {
    write(piece): void {
      written += piece
      if (!takesText) scribe.delta('response.function_call_arguments.delta', deltaAt, piece)
    },
    end({ status = 'completed' }): void {
      const item = callItem(id, { call, tool, written, status })
      if (takesText) {
        const input = item.input as string
        if (input !== '') scribe.delta('response.custom_tool_call_input.delta', deltaAt, input)
        scribe.frame('response.custom_tool_call_input.done', { ...at, input })
      } else {
        scribe.frame('response.function_call_arguments.done', { ...at, name: item.name, arguments: written })
      }
      scribe.done(index, item)
    },
  }
}

function writeSignature(scribe: Scribe, callId: string, signature: Signature): void {
  const { id, index } = scribe.place('rs')
  const item = callSignatureItem(id, callId, signature)
  scribe.added(index, item)
  scribe.done(index, item)
}
