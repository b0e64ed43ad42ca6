import { asText, type JsonObject } from '../../json/json-object.ts'
import { BETWEEN_SECTIONS, ownSignature, wordsOf } from '../reasoning-item.ts'
import type { Stage } from './event-collector.ts'

export type ReasoningReader = ReturnType<typeof createReasoningReader>

/**
 * Reads a thought as it is written. Vendors show the thought itself, a summary in sections, or both; whichever comes first
 * is what a reader gets. A thought of neither words nor seal is none.
 */
export function createReasoningReader(stage: Stage, added: JsonObject) {
  let source: 'summary' | 'content' | undefined
  let block = -1
  let section = 0
  let sent = 0
  let isOver = false

  function start(): void {
    if (block !== -1) return
    block = stage.nextBlock()
    stage.emit({ type: 'thinking-start', block })
  }

  function delta(from: 'summary' | 'content', index: number, text: string): void {
    if (text === '') return
    source ??= from
    if (source !== from || index < section) return
    start()
    if (index > section) {
      if (sent > 0) stage.emit({ type: 'thinking-delta', block, text: BETWEEN_SECTIONS })
      section = index
      sent = 0
    }
    sent += text.length
    stage.emit({ type: 'thinking-delta', block, text })
  }

  /** The whole of a section, of which deltas may have left some out. */
  function endSection(from: 'summary' | 'content', index: number, whole: string): void {
    delta(from, index, index === section ? whole.slice(sent) : whole)
  }

  function end(item: JsonObject): void {
    if (isOver) return
    isOver = true
    if (block === -1 && asText(item.encrypted_content) !== '') start()
    if (block !== -1) stage.emit({ type: 'thinking-end', block, signature: ownSignature(item) })
  }

  return {
    kind: 'reasoning' as const,
    delta,
    endSection,
    done(item: JsonObject): void {
      if (isOver) return
      const from = source ?? 'summary'
      wordsOf(item, source).forEach((words, index) => endSection(from, index, words))
      end(item)
    },
    // Only the finished item holds the whole seal: half of one must not be handed back.
    close: () => end({ id: added.id }),
  }
}
