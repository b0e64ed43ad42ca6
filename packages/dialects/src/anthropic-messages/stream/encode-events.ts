import type {
  CanonicalEvent,
  Citation,
  EventEncoder,
  ResponseContext,
  SearchCall,
  Signature,
} from '../../canonical/index.ts'
import { createMessageWriter } from './message-writer.ts'
import { markdownImage } from '../response/encode-response.ts'

type Kind = 'text' | 'thinking' | 'call' | 'search'

/** Unfinished block and its text that is not written yet. */
interface PendingBlock {
  readonly block: number
  readonly kind: Kind
  readonly call?: Extract<CanonicalEvent, { type: 'tool-call-start' }>
  unwritten: string
  /** Citations of the text so far. */
  citations?: Citation[]
  readonly search?: SearchCall
  hasEnded?: boolean
  signature?: Signature
  redacted?: boolean
}

/**
 * Writes one block at a time, because clients of this protocol support only one open block. The first block of the
 * queue is written at once. The others wait until a call ends, or until another block follows text or thinking.
 */
export function createEncoder(context: ResponseContext): EventEncoder {
  const writer = createMessageWriter(context)
  const queue: PendingBlock[] = []

  function findOpen(block: number, kind: Kind): PendingBlock | undefined {
    return queue.find((pending) => pending.block === block && pending.kind === kind && !pending.hasEnded)
  }

  /**
   * A delta without a start, or for a closed block, opens a new one. A call cannot be opened here, because it needs a
   * name.
   */
  function openBlock(block: number, kind: 'text' | 'thinking'): PendingBlock {
    const known = findOpen(block, kind)
    if (known) return known
    const pending: PendingBlock = { block, kind, unwritten: '' }
    queue.push(pending)
    return pending
  }

  function markEnded(block: number, kind: Kind): void {
    const pending = findOpen(block, kind)
    if (pending) pending.hasEnded = true
  }

  function drain(): void {
    for (let first = queue[0]; first; first = queue[0]) {
      write(first)
      if (!first.hasEnded && (queue.length === 1 || first.kind === 'call')) return
      writer.close(first)
      queue.shift()
    }
  }

  function write(pending: PendingBlock): void {
    if (pending.kind === 'call') writer.openCall(pending.call!)
    if (pending.search) writer.search(pending.search)
    else if (pending.unwritten !== '') {
      writer.piece(pending.kind as Exclude<Kind, 'search'>, pending.unwritten)
      pending.unwritten = ''
    }
    for (const citation of pending.citations?.splice(0) ?? []) writer.cite(citation)
  }

  function handle(event: CanonicalEvent): void {
    switch (event.type) {
      case 'response-start':
        writer.start()
        return
      case 'usage':
        writer.count(event.usage)
        return
      case 'finish':
        writer.finish(event)
        return
      case 'text-start':
        openBlock(event.block, 'text')
        break
      case 'text-delta':
      case 'refusal-delta':
        openBlock(event.block, 'text').unwritten += event.text
        break
      case 'citation': {
        const cited = findOpen(event.block, 'text')
        if (cited) (cited.citations ??= []).push(event.citation)
        break
      }
      case 'native':
        if (!event.search) return
        queue.push({ block: -1, kind: 'search', unwritten: '', search: event.search, hasEnded: true })
        break
      case 'text-end':
        markEnded(event.block, 'text')
        break
      case 'thinking-start':
        openBlock(event.block, 'thinking')
        break
      case 'thinking-delta':
        openBlock(event.block, 'thinking').unwritten += event.text
        break
      case 'thinking-end': {
        const { block, signature, redacted } = event
        // The signature must reach the client even if the block was closed before.
        if (signature) Object.assign(openBlock(block, 'thinking'), { signature, redacted })
        markEnded(block, 'thinking')
        break
      }
      case 'tool-call-start':
        queue.push({ block: event.block, kind: 'call', call: event, unwritten: '' })
        break
      case 'tool-call-delta': {
        const call = findOpen(event.block, 'call')
        if (call) call.unwritten += event.text
        break
      }
      case 'tool-call-end':
        markEnded(event.block, 'call')
        break
      case 'image': {
        const { block, mediaType, data } = event
        queue.push({
          block,
          kind: 'text',
          unwritten: markdownImage({ kind: 'base64', mediaType, data }),
          hasEnded: true,
        })
        break
      }
      default:
        return // other protocols cannot express it, or the gateway handles it
    }
    drain()
  }

  return {
    encode(event) {
      handle(event)
      return writer.flush()
    },
    end(usage) {
      for (const pending of queue) pending.hasEnded = true
      drain()
      writer.end(usage)
      return writer.flush()
    },
  }
}
