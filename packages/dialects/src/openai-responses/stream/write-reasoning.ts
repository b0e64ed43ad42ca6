import { isWorthKeeping, sealedId } from '../signatures.ts'
import { thoughtItem } from '../output-items.ts'
import type { BlockWriter } from './block-writer.ts'
import { membersOf } from '../../sse/write-frame.ts'
import type { Scribe } from './stream-writer.ts'

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
