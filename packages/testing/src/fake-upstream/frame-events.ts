import { DONE } from './openai-wire.ts'
import type { Framing, UpstreamEvent } from './types.ts'

/** Serializes events, one buffer per event. */
export function frameEvents(
  events: readonly UpstreamEvent[],
  framing: Framing = {},
  endMark: UpstreamEvent | null = DONE,
): Buffer[] {
  const ended = framing.done === false || endMark === null ? events : [...events, endMark]
  return ended.map((event, index) => {
    const isFirst = index === 0
    const isLast = index === ended.length - 1
    const mark = isFirst && framing.byteOrderMark ? '\uFEFF' : ''
    const closed = !isLast || framing.finalNewline !== false
    return Buffer.from(mark + frame(event, framing, closed))
  })
}

function frame(event: UpstreamEvent, framing: Framing, closed: boolean): string {
  const lineEnd = framing.lineEnd ?? '\n'
  const separator = framing.space === false ? ':' : ': '
  const name = event.name ?? framing.eventName
  const lines = [
    ...(framing.comments ? [': keep-alive'] : []),
    ...(name === undefined ? [] : [`event${separator}${name}`]),
    ...dataLines(event.data, framing).map((line) => `data${separator}${line}`),
  ]
  return lines.join(lineEnd) + (closed ? lineEnd + lineEnd : '')
}

function dataLines(data: string, { multiLine = false }: Framing): string[] {
  if (!multiLine || data === '[DONE]') return [data]
  return JSON.stringify(JSON.parse(data), undefined, 1).split('\n')
}
