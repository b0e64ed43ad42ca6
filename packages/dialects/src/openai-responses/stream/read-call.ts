import { asText, type JsonObject } from '../../json/json-object.ts'
import type { Stage } from './event-collector.ts'
import { INPUT_END, INPUT_START, inputPiece } from '../text-tool-input.ts'
import { flatName } from '../tool-names.ts'

export type CallReader = ReturnType<typeof createCallReader>

/** Reads a call as it is written. Its arguments go on as they come; the text of a text tool becomes their JSON. */
export function createCallReader(stage: Stage, added: JsonObject) {
  const takesText = added.type === 'custom_tool_call'
  let block = -1
  let sent = 0
  let isOver = false

  function start(item: JsonObject): void {
    block = stage.nextBlock()
    stage.called()
    stage.emit({
      type: 'tool-call-start',
      block,
      id: asText(item.call_id) || asText(item.id) || `call_${stage.newId()}`,
      name: flatName(item.namespace, asText(item.name)),
    })
    if (takesText) stage.emit({ type: 'tool-call-delta', block, text: INPUT_START })
  }

  function delta(text: string): void {
    // Without a name there is nobody to call yet: the whole comes again with the item.
    if (text === '' || block === -1 || isOver) return
    sent += text.length
    stage.emit({ type: 'tool-call-delta', block, text: takesText ? inputPiece(text) : text })
  }

  function end(): void {
    if (isOver || block === -1) return
    isOver = true
    if (takesText) stage.emit({ type: 'tool-call-delta', block, text: INPUT_END })
    stage.emit({ type: 'tool-call-end', block })
  }

  if (asText(added.name) !== '') start(added)
  return {
    kind: 'call' as const,
    delta,
    /** The whole of the arguments, of which deltas may have left some out. */
    endArguments: (whole: string) => delta(whole.slice(sent)),
    done(item: JsonObject): void {
      if (block === -1) start(item)
      delta(asText(takesText ? item.input : item.arguments).slice(sent))
      end()
    },
    close: end,
  }
}
