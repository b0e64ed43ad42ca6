import {
  type AnswerContext,
  type CanonicalAnswer,
  type CanonicalEvent,
  type Signature,
  writeSignature,
} from '../../canonical/index.ts'
import type { JsonObject } from '../../json/json-object.ts'
import type { UsageReport } from '@tidegate/contract'
import { writeCallSignature } from '../signatures.ts'
import { DIALECT_ID } from '../ids.ts'
import { eventFrame } from '../../sse/write-frame.ts'
import { writeFinish } from '../response/finish-reason.ts'
import { writeUsage } from '../response/usage.ts'

type CallStart = Extract<CanonicalEvent, { type: 'tool-call-start' }>

/** What there is to say of a block when it is over. */
interface BlockEnd {
  readonly kind: 'text' | 'thinking' | 'call'
  readonly signature?: Signature
  readonly redacted?: boolean
}

const NO_USAGE = { input_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 0 }

/** Frames of one message, in the order clients expect: a block is open or none is, and each has the next index. */
export function createMessageWriter({ requestId, model }: AnswerContext) {
  let frames = ''
  let index = -1
  let isOpen = false
  let hasStarted = false
  let hasCalls = false
  let counts: UsageReport | undefined
  let finish: CanonicalAnswer['finish']

  function start(): void {
    if (hasStarted) return
    hasStarted = true
    // The counts at the start are what is known by then; clients take those at the end for final.
    const usage = counts ? writeUsage(counts) : NO_USAGE
    const head = { id: `msg_${requestId}`, type: 'message', role: 'assistant', model, content: [] }
    const message = { ...head, stop_reason: null, stop_sequence: null, usage }
    frames += eventFrame('message_start', { message })
  }

  function open(block: JsonObject): void {
    start()
    index += 1
    isOpen = true
    frames += eventFrame('content_block_start', { index, content_block: block })
  }

  function stop(): void {
    if (!isOpen) return
    isOpen = false
    frames += eventFrame('content_block_stop', { index })
  }

  /** Written by hand: most of a stream is this, and only the text in it needs a serializer. */
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
    finish(reason: NonNullable<CanonicalAnswer['finish']>): void {
      finish = reason
    },
    /** Text and thoughts are opened by their first word: an empty block is refused when the client hands it back. */
    piece(kind: BlockEnd['kind'], text: string): void {
      if (kind === 'call') {
        delta('input_json_delta', 'partial_json', text)
      } else if (kind === 'thinking') {
        openThinking()
        delta('thinking_delta', 'thinking', text)
      } else {
        if (!isOpen) open({ type: 'text', text: '' })
        delta('text_delta', 'text', text)
      }
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
    /** What was written since the last time. */
    flush(): string {
      const written = frames
      frames = ''
      return written
    },
  }
}
