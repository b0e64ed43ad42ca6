import type { ResponseContext, CanonicalEvent, EventEncoder, FinishReason } from '../../canonical/index.ts'
import type { UsageReport } from '@tidegate/contract'
import {
  type BlockWriter,
  type MessageWriter,
  openCall,
  openMessage,
  openReasoning,
  writeSearch,
} from './item-writers.ts'
import { incompleteReason } from '../response/finish-reason.ts'
import { imageItem } from '../output-items.ts'
import { finishedResponse } from '../response/response-object.ts'
import { createStreamWriter } from './stream-writer.ts'
import { toolsByName } from '../tool-names.ts'

/** Encodes a stream for a client. */
export function createEncoder(context: ResponseContext): EventEncoder {
  const stream = createStreamWriter(context)
  const tools = toolsByName(context.request.tools)
  const blocks = new Map<number, BlockWriter>()
  let message: MessageWriter | undefined
  let reason: FinishReason = 'stop'

  return {
    encode(event) {
      write(event)
      return stream.take()
    },
    end(usage) {
      writeEnd(usage)
      return stream.take()
    },
  }

  function write(event: CanonicalEvent): void {
    switch (event.type) {
      case 'text-delta':
        if (event.text !== '') writerAt(event.block, () => openText('text')).write(event.text)
        break
      case 'thinking-delta':
        if (event.text !== '') writerAt(event.block, openThought).write(event.text)
        break
      case 'tool-call-delta':
        // A call without a start has no name.
        if (event.text !== '') blocks.get(event.block)?.write(event.text)
        break
      case 'refusal-delta':
        if (event.text !== '') writerAt(event.block, () => openText('refusal')).write(event.text)
        break
      case 'response-start':
        stream.start()
        break
      case 'tool-call-start':
        writerAt(event.block, () => {
          closeMessage()
          return openCall(stream, event, tools.get(event.name))
        })
        break
      case 'thinking-end':
        writerAt(event.block, openThought)
        endBlock(event.block, event)
        break
      case 'text-end':
      case 'tool-call-end':
        endBlock(event.block)
        break
      case 'image':
        writeImage(event)
        break
      case 'finish':
        reason = event.reason
        closeAll()
        break
      case 'citation':
        blocks.get(event.block)?.cite?.(event.citation)
        break
      case 'native':
        if (!event.search) break
        stream.start()
        closeMessage()
        writeSearch(stream, event.search)
        break
      // A block starts with its first text. `end` writes usage and the end, and errors have their own
      // frame.
      case 'text-start':
      case 'thinking-start':
      case 'usage':
      case 'dropped':
      case 'error':
      case 'done':
    }
  }

  function writerAt(block: number, open: () => BlockWriter): BlockWriter {
    const known = blocks.get(block)
    if (known) return known
    stream.start()
    const opened = open()
    blocks.set(block, opened)
    return opened
  }

  function openText(kind: 'text' | 'refusal'): BlockWriter {
    message ??= openMessage(stream)
    return message.open(kind)
  }

  function openThought(): BlockWriter {
    closeMessage()
    return openReasoning(stream)
  }

  function closeMessage(status?: 'completed' | 'incomplete'): void {
    message?.close(status)
    message = undefined
  }

  function endBlock(block: number, ending: Parameters<BlockWriter['end']>[0] = {}): void {
    blocks.get(block)?.end(ending)
    blocks.delete(block)
  }

  function writeImage(image: Extract<CanonicalEvent, { type: 'image' }>): void {
    stream.start()
    closeMessage()
    const { id, index } = stream.reserveItem('ig')
    const item = imageItem(id, image)
    stream.addItem(index, { ...item, status: 'in_progress', result: null })
    stream.writeFrame('response.image_generation_call.completed', { item_id: id, output_index: index })
    stream.finishItem(index, item)
  }

  function closeAll(): void {
    const status = incompleteReason(reason) === undefined ? 'completed' : 'incomplete'
    for (const writer of blocks.values()) writer.end({ status })
    blocks.clear()
    closeMessage(status)
  }

  function writeEnd(usage: UsageReport): void {
    stream.start()
    closeAll()
    const response = finishedResponse(context, { reason, output: stream.output, usage })
    stream.writeLifecycle(response.status === 'completed' ? 'response.completed' : 'response.incomplete', response)
  }
}
