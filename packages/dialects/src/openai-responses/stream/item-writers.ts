import type { Citation, SearchCall, Signature } from '../../canonical/index.ts'
import type { JsonObject } from '../../json/json-object.ts'
import { membersOf } from '../../sse/write-frame.ts'
import {
  annotationOf,
  type CallIdentity,
  callItem,
  callSignatureItem,
  type ItemStatus,
  messageItem,
  refusalContent,
  searchItem,
  textContent,
  reasoningItem,
} from '../output-items.ts'
import { hasSignatureValue, reasoningItemId } from '../signatures.ts'
import type { NamedTool } from '../tool-names.ts'
import type { StreamWriter } from './stream-writer.ts'

/** Writes one block of a response. */
export interface BlockWriter {
  write(text: string): void
  cite?(citation: Citation): void
  end(ending: BlockEnd): void
}

interface BlockEnd {
  readonly signature?: Signature
  readonly redacted?: boolean
  /** Whether the block is complete. */
  readonly status?: 'completed' | 'incomplete'
}

export type MessageWriter = ReturnType<typeof openMessage>

/** Writes a message. Consecutive text blocks are parts of one message. */
export function openMessage(stream: StreamWriter) {
  const { id, index } = stream.reserveItem('msg')
  const content: JsonObject[] = []
  let openParts = 0
  let isClosing = false
  stream.addItem(index, messageItem(id, [], 'in_progress'))

  function finish(status: ItemStatus): void {
    stream.finishItem(index, messageItem(id, content, status))
  }

  return {
    open(kind: 'text' | 'refusal'): BlockWriter {
      const contentOf = kind === 'text' ? textContent : refusalContent
      const annotations: JsonObject[] = []
      const at = { item_id: id, output_index: index, content_index: content.length }
      const event = kind === 'text' ? 'response.output_text' : 'response.refusal'
      const deltaAt = membersOf(kind === 'text' ? { ...at, logprobs: [] } : at)
      let text = ''
      openParts += 1
      content.push(contentOf(''))
      stream.writeFrame('response.content_part.added', { ...at, part: contentOf('') })
      return {
        write(piece): void {
          text += piece
          stream.writeDelta(`${event}.delta`, deltaAt, piece)
        },
        cite(citation): void {
          const annotation = annotationOf(citation, text)
          const event = { ...at, annotation_index: annotations.length, annotation }
          annotations.push(annotation)
          stream.writeFrame('response.output_text.annotation.added', event)
        },
        end(): void {
          const part = contentOf(text, annotations)
          content[at.content_index] = part
          stream.writeFrame(`${event}.done`, kind === 'text' ? { ...at, text, logprobs: [] } : { ...at, refusal: text })
          stream.writeFrame('response.content_part.done', { ...at, part })
          openParts -= 1
          if (isClosing && openParts === 0) finish('completed')
        },
      }
    },
    /** Finishes the message now, or when its last part ends. */
    close(status: ItemStatus = 'completed'): void {
      isClosing = true
      if (openParts === 0) finish(status)
    },
  }
}

/**
 * Writes reasoning as a summary with one section. Starts with the first text, because reasoning without text may be
 * dropped.
 */
export function openReasoning(stream: StreamWriter): BlockWriter {
  let reserved: ReturnType<StreamWriter['reserveItem']> | undefined
  let deltaAt = ''
  let text = ''

  function begin() {
    const started = stream.reserveItem('rs')
    stream.addItem(started.index, reasoningItem(started.id, '', {}))
    const at = { item_id: started.id, output_index: started.index, summary_index: 0 }
    stream.writeFrame('response.reasoning_summary_part.added', { ...at, part: { type: 'summary_text', text: '' } })
    deltaAt = membersOf(at)
    return started
  }

  return {
    write(piece): void {
      reserved ??= begin()
      text += piece
      stream.writeDelta('response.reasoning_summary_text.delta', deltaAt, piece)
    },
    end(ending): void {
      if (reserved) {
        const at = { item_id: reserved.id, output_index: reserved.index, summary_index: 0 }
        stream.writeFrame('response.reasoning_summary_text.done', { ...at, text })
        stream.writeFrame('response.reasoning_summary_part.done', { ...at, part: { type: 'summary_text', text } })
        stream.finishItem(reserved.index, reasoningItem(reserved.id, text, ending))
      } else if (hasSignatureValue(ending.signature)) {
        const { id, index } = stream.reserveItem('rs')
        const item = reasoningItem(reasoningItemId(ending.signature) ?? id, '', ending)
        stream.addItem(index, item)
        stream.finishItem(index, item)
      }
    },
  }
}

/** Writes a call. The input of a text tool is known only when its JSON is complete, so it is one delta at the end. */
export function openCall(
  stream: StreamWriter,
  call: CallIdentity & { readonly signature?: Signature },
  tool: NamedTool | undefined,
): BlockWriter {
  if (call.signature) writeSignature(stream, call.id, call.signature)
  const takesText = tool?.takesText === true
  const { id, index } = stream.reserveItem(takesText ? 'ctc' : 'fc')
  const at = { item_id: id, output_index: index }
  const deltaAt = membersOf(at)
  let text = ''
  stream.addItem(index, callItem(id, { call, tool, text, status: 'in_progress' }))

  return {
    write(piece): void {
      text += piece
      if (!takesText) stream.writeDelta('response.function_call_arguments.delta', deltaAt, piece)
    },
    end({ status = 'completed' }): void {
      const item = callItem(id, { call, tool, text, status })
      if (takesText) {
        const input = item.input as string
        if (input !== '') stream.writeDelta('response.custom_tool_call_input.delta', deltaAt, input)
        stream.writeFrame('response.custom_tool_call_input.done', { ...at, input })
      } else {
        stream.writeFrame('response.function_call_arguments.done', { ...at, name: item.name, arguments: text })
      }
      stream.finishItem(index, item)
    },
  }
}

/** Writes a search that is over, with the events of one that is running. */
export function writeSearch(stream: StreamWriter, search: SearchCall): void {
  const { id, index } = stream.reserveItem('ws')
  stream.addItem(index, searchItem(id, search, 'in_progress'))
  for (const state of ['in_progress', 'searching', 'completed'])
    stream.writeFrame(`response.web_search_call.${state}`, { item_id: id, output_index: index })
  stream.finishItem(index, searchItem(id, search, 'completed'))
}

function writeSignature(stream: StreamWriter, callId: string, signature: Signature): void {
  const { id, index } = stream.reserveItem('rs')
  const item = callSignatureItem(id, callId, signature)
  stream.addItem(index, item)
  stream.finishItem(index, item)
}
