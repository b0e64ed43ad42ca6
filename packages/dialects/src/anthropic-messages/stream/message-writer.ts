import {
  type Citation,
  type SearchCall,
  type ResponseContext,
  type CanonicalResponse,
  type CanonicalEvent,
  type Signature,
  writeSignature,
} from '../../canonical/index.ts'
import type { JsonObject } from '../../json/json-object.ts'
import type { UsageReport } from '@tidegate/contract'
import { writeCallSignature } from '../signatures.ts'
import { DIALECT_ID } from '../ids.ts'
import { eventFrame } from '../../sse/write-frame.ts'
import { searchBlocks, writeCitation } from '../response/searches.ts'
import { writeFinish } from '../response/finish-reason.ts'
import { writeUsage } from '../response/usage.ts'

type CallStart = Extract<CanonicalEvent, { type: 'tool-call-start' }>

/** State of a block at its end. */
interface BlockEnd {
  readonly kind: 'text' | 'thinking' | 'call' | 'search'
  readonly signature?: Signature
  readonly redacted?: boolean
}

const NO_USAGE = { input_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 0 }

/**
 * Writes the frames of one message in the order that clients expect. At most one block is open, and indexes are
 * consecutive.
 */
export function createMessageWriter({ requestId, model }: ResponseContext) {
  let frames = ''
  let index = -1
  let isOpen = false
  /** The open text has citations, so that the next text is a block of its own. */
  let isCited = false
  let hasStarted = false
  let hasCalls = false
  let counts: UsageReport | undefined
  let finish: CanonicalResponse['finish']

  function start(): void {
    if (hasStarted) return
    hasStarted = true
    // Usage at the start is preliminary. Clients use the values at the end.
    const usage = counts ? writeUsage(counts) : NO_USAGE
    const head = { id: `msg_${requestId}`, type: 'message', role: 'assistant', model, content: [] }
    const message = { ...head, stop_reason: null, stop_sequence: null, usage }
    frames += eventFrame('message_start', { message })
  }

  function open(block: JsonObject): void {
    start()
    index += 1
    isOpen = true
    isCited = false
    frames += eventFrame('content_block_start', { index, content_block: block })
  }

  function stop(): void {
    if (!isOpen) return
    isOpen = false
    frames += eventFrame('content_block_stop', { index })
  }

  /** Writes the JSON by hand, because most of a stream consists of these frames. */
  function delta(type: string, member: string, text: string): void {
    const head = `event: content_block_delta\ndata: {"type":"content_block_delta","index":${index}`
    frames += `${head},"delta":{"type":"${type}","${member}":${JSON.stringify(text)}}}\n\n`
  }

  function openThinking(): void {
    if (!isOpen) open({ type: 'thinking', thinking: '', signature: '' })
  }

  function writeSignatureDelta(signature: Signature, redacted: boolean | undefined): void {
    const signatureText = writeSignature(signature, DIALECT_ID)
    if (signatureText === '') return
    if (redacted) {
      stop()
      open({ type: 'redacted_thinking', data: signatureText })
      return
    }
    openThinking()
    delta('signature_delta', 'signature', signatureText)
  }

  return {
    start,
    count(usage: UsageReport): void {
      counts = usage
    },
    finish(reason: NonNullable<CanonicalResponse['finish']>): void {
      finish = reason
    },
    /**
     * Opens text and thinking with the first character, because the provider rejects empty blocks that a client sends
     * back.
     */
    piece(kind: Exclude<BlockEnd['kind'], 'search'>, text: string): void {
      if (kind === 'call') {
        delta('input_json_delta', 'partial_json', text)
      } else if (kind === 'thinking') {
        openThinking()
        delta('thinking_delta', 'thinking', text)
      } else {
        if (isCited) stop()
        if (!isOpen) open({ type: 'text', text: '' })
        delta('text_delta', 'text', text)
      }
    },
    /** A citation applies to the whole block, and the provider rejects blocks without text. */
    cite(citation: Citation): void {
      if (!isOpen) return
      isCited = true
      const event = { index, delta: { type: 'citations_delta', citation: writeCitation(citation) } }
      frames += eventFrame('content_block_delta', event)
    },
    search(search: SearchCall): void {
      const [call, result] = searchBlocks(search, `${requestId}_${index + 1}`)
      open({ ...call, input: {} })
      delta('input_json_delta', 'partial_json', JSON.stringify(call.input))
      stop()
      open(result)
      stop()
    },
    openCall({ id, name, signature }: CallStart): void {
      if (isOpen) return
      hasCalls = true
      const signatureText = signature && writeCallSignature(signature)
      if (signatureText) {
        openThinking()
        delta('signature_delta', 'signature', String(signatureText.signature))
        stop()
      }
      open({ type: 'tool_use', id, name, input: {} })
    },
    close({ kind, signature, redacted }: BlockEnd): void {
      if (kind === 'thinking' && signature) writeSignatureDelta(signature, redacted)
      stop()
    },
    end(usage: UsageReport): void {
      start()
      frames += eventFrame('message_delta', { delta: writeFinish(finish, hasCalls), usage: writeUsage(usage) })
      frames += eventFrame('message_stop', {})
    },
    /** Returns the frames since the last call. */
    flush(): string {
      const written = frames
      frames = ''
      return written
    },
  }
}
