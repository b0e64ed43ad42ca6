import { type AnswerContext, type CanonicalEvent, type EventEncoder, type Signature } from '../../canonical/index.ts'
import { createMessageWriter } from './message-writer.ts'
import { markdownImage } from '../response/encode-response.ts'

type Kind = 'text' | 'thinking' | 'call'

/** A block of the answer that is not over, and what of it was not written yet. */
interface Pending {
  readonly block: number
  readonly kind: Kind
  readonly call?: Extract<CanonicalEvent, { type: 'tool-call-start' }>
  unwritten: string
  hasEnded?: boolean
  signature?: Signature
  redacted?: boolean
}

/**
 * Writes one block at a time, which is all a client of this dialect can follow. The first in line is written as it
 * comes and the others wait: for a call until it ends, for text and thoughts only until something else begins.
 */
export function createEncoder(context: AnswerContext): EventEncoder {
  const writer = createMessageWriter(context)
  const line: Pending[] = []

  function waiting(block: number, kind: Kind): Pending | undefined {
    return line.find((pending) => pending.block === block && pending.kind === kind && !pending.hasEnded)
  }

  /** A piece without a start, or of a block that had to be closed, opens one. Not one of a call: that has a name. */
  function pendingOf(block: number, kind: Exclude<Kind, 'call'>): Pending {
    const known = waiting(block, kind)
    if (known) return known
    const pending: Pending = { block, kind, unwritten: '' }
    line.push(pending)
    return pending
  }

  function endOf(block: number, kind: Kind): void {
    const pending = waiting(block, kind)
    if (pending) pending.hasEnded = true
  }

  function advance(): void {
    for (let first = line[0]; first; first = line[0]) {
      write(first)
      if (!first.hasEnded && (line.length === 1 || first.kind === 'call')) return
      writer.close(first)
      line.shift()
    }
  }

  function write(pending: Pending): void {
    if (pending.kind === 'call') writer.openCall(pending.call!)
    if (pending.unwritten === '') return
    writer.piece(pending.kind, pending.unwritten)
    pending.unwritten = ''
  }

  function take(event: CanonicalEvent): void {
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
        pendingOf(event.block, 'text')
        break
      case 'text-delta':
      case 'refusal-delta':
        pendingOf(event.block, 'text').unwritten += event.text
        break
      case 'text-end':
        endOf(event.block, 'text')
        break
      case 'thinking-start':
        pendingOf(event.block, 'thinking')
        break
      case 'thinking-delta':
        pendingOf(event.block, 'thinking').unwritten += event.text
        break
      case 'thinking-end': {
        const { block, signature, redacted } = event
        // Also for a block that had to be closed before: its proof must reach the client.
        if (signature) Object.assign(pendingOf(block, 'thinking'), { signature, redacted })
        endOf(block, 'thinking')
        break
      }
      case 'tool-call-start':
        line.push({ block: event.block, kind: 'call', call: event, unwritten: '' })
        break
      case 'tool-call-delta': {
        const call = waiting(event.block, 'call')
        if (call) call.unwritten += event.text
        break
      }
      case 'tool-call-end':
        endOf(event.block, 'call')
        break
      case 'image': {
        const { block, mediaType, data } = event
        line.push({
          block,
          kind: 'text',
          unwritten: markdownImage({ kind: 'base64', mediaType, data }),
          hasEnded: true,
        })
        break
      }
      default:
        return // only its own dialect can say it, or it is for us to act on
    }
    advance()
  }

  return {
    encode(event) {
      take(event)
      return writer.flush()
    },
    end(usage) {
      for (const pending of line) pending.hasEnded = true
      advance()
      writer.end(usage)
      return writer.flush()
    },
  }
}
