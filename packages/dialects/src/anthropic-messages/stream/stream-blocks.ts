import type { CanonicalEvent } from '../../canonical/index.ts'
import { asText, asJsonObject, type JsonObject } from '../../json/json-object.ts'
import { OWN } from '../ids.ts'
import { inputOfEvent } from '../tool-input.ts'

/** A block of a stream between its start and its stop. */
export interface StreamBlock {
  /** What its start tells. */
  readonly began: readonly CanonicalEvent[]
  delta(delta: JsonObject): readonly CanonicalEvent[]
  end(): readonly CanonicalEvent[]
  /** Others cannot say it, so it has no number among the blocks. */
  readonly isNative?: boolean
}

const NOTHING: readonly CanonicalEvent[] = []

/** `data` is the event that started the block, as it came. */
export function openBlock(start: JsonObject, block: number, data: string): StreamBlock {
  switch (start.type) {
    case 'text':
      return textBlock(start, block)
    case 'thinking':
      return thinkingBlock(start, block)
    case 'redacted_thinking':
      return redactedBlock(start, block)
    case 'tool_use':
      return toolBlock(start, block, data)
    default:
      return nativeBlock(start)
  }
}

function textBlock(start: JsonObject, block: number): StreamBlock {
  const text = asText(start.text)
  return {
    began: [{ type: 'text-start', block }, ...(text === '' ? NOTHING : [{ type: 'text-delta', block, text } as const])],
    // Citations come as deltas of the same block; there is no place for them in other dialects.
    delta: (delta) => (typeof delta.text === 'string' ? [{ type: 'text-delta', block, text: delta.text }] : NOTHING),
    end: () => [{ type: 'text-end', block }],
  }
}

function thinkingBlock(start: JsonObject, block: number): StreamBlock {
  const text = asText(start.thinking)
  let signature = asText(start.signature)
  return {
    began: [
      { type: 'thinking-start', block },
      ...(text === '' ? NOTHING : [{ type: 'thinking-delta', block, text } as const]),
    ],
    delta(delta) {
      if (typeof delta.thinking === 'string') return [{ type: 'thinking-delta', block, text: delta.thinking }]
      if (typeof delta.signature === 'string') signature = delta.signature
      return NOTHING
    },
    // A vendor compatible with this dialect may sign nothing. It still gets its thoughts back.
    end: () => [{ type: 'thinking-end', block, signature: { dialect: OWN, value: signature } }],
  }
}

function redactedBlock(start: JsonObject, block: number): StreamBlock {
  const signature = { dialect: OWN, value: asText(start.data) } as const
  return {
    began: [{ type: 'thinking-start', block }],
    delta: () => NOTHING,
    end: () => [{ type: 'thinking-end', block, signature, redacted: true }],
  }
}

function toolBlock(start: JsonObject, block: number, data: string): StreamBlock {
  // Usually empty, the pieces following. Some vendors give it whole at once, and no pieces.
  const isWhole = Object.keys(asJsonObject(start.input) ?? {}).length > 0
  let hasPieces = false
  return {
    began: [{ type: 'tool-call-start', block, id: asText(start.id), name: asText(start.name) }],
    delta({ partial_json: text }) {
      if (typeof text !== 'string' || text === '') return NOTHING
      hasPieces = true
      return [{ type: 'tool-call-delta', block, text }]
    },
    end() {
      const end = { type: 'tool-call-end', block } as const
      // No pieces at all is how this dialect writes a call without arguments.
      return hasPieces ? [end] : [{ type: 'tool-call-delta', block, text: isWhole ? inputOfEvent(data) : '{}' }, end]
    },
  }
}

function nativeBlock(start: JsonObject): StreamBlock {
  return {
    isNative: true,
    began: [{ type: 'native', text: asText(start.name) }],
    delta(delta) {
      const text = asText(delta.partial_json) || asText(delta.content)
      return text === '' ? NOTHING : [{ type: 'native', text }]
    },
    end: () => NOTHING,
  }
}
