import { asList, asText, asJsonObject, type JsonObject } from '../../json/json-object.ts'
import type { Stage } from './event-collector.ts'

type PartKind = 'text' | 'refusal'

interface OpenPart {
  readonly block: number
  readonly kind: PartKind
  /** How many characters have been told: whatever else the whole has is still to tell. */
  sent: number
  isOpen: boolean
}

export type MessageReader = ReturnType<typeof createMessageReader>

/** Reads a message as it is written. Each of its parts is a block, from its first character on. */
export function createMessageReader(stage: Stage) {
  const parts = new Map<number, OpenPart>()

  function open(index: number, kind: PartKind): OpenPart {
    const part: OpenPart = { block: stage.nextBlock(), kind, sent: 0, isOpen: true }
    parts.set(index, part)
    if (kind === 'text') stage.emit({ type: 'text-start', block: part.block })
    return part
  }

  function delta(index: number, kind: PartKind, text: string): void {
    if (text === '') return
    const part = parts.get(index) ?? open(index, kind)
    part.sent += text.length
    stage.emit({ type: part.kind === 'text' ? 'text-delta' : 'refusal-delta', block: part.block, text })
  }

  function end(part: OpenPart): void {
    if (part.isOpen && part.kind === 'text') stage.emit({ type: 'text-end', block: part.block })
    part.isOpen = false
  }

  /** A part is over, and this is the whole of it: deltas may have left some of it out. */
  function endPart(index: number, value: JsonObject): void {
    const kind = value.type === 'refusal' ? 'refusal' : 'text'
    const known = parts.get(index)
    if (known?.isOpen === false) return
    delta(index, kind, asText(value[kind]).slice(known?.sent ?? 0))
    const part = parts.get(index)
    if (part) end(part)
  }

  function close(): void {
    for (const part of parts.values()) end(part)
  }

  return {
    kind: 'message' as const,
    delta,
    endPart,
    done(item: JsonObject): void {
      asList(item.content).forEach((part, index) => endPart(index, asJsonObject(part) ?? {}))
      close()
    },
    close,
  }
}
