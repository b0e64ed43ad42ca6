import type { AnswerContext } from '../../canonical/index.ts'
import type { JsonObject } from '../../json/json-object.ts'
import { eventFrameOf, membersOf } from '../../sse/write-frame.ts'
import { responseEcho, responseUnderWay } from '../response/response-object.ts'

export type Scribe = ReturnType<typeof createScribe>

/** Writes the frames of one stream: numbers them, gives items their places and ids, and keeps what the answer holds. */
export function createScribe(context: AnswerContext) {
  const output: JsonObject[] = []
  let frames = ''
  let sequence = 0
  let echo: string | undefined
  let isStarted = false

  function write(type: string, members: string): void {
    frames += eventFrameOf(type, `"sequence_number":${sequence},${members}`)
    sequence += 1
  }
  function frame(type: string, members: JsonObject): void {
    write(type, membersOf(members))
  }
  function lifecycle(type: string, response: JsonObject): void {
    // What is repeated of the question can be long, and is the same each time.
    echo ??= membersOf(responseEcho(context))
    write(type, `"response":{${membersOf(response)},${echo}}`)
  }

  return {
    output,
    frame,
    lifecycle,
    start(): void {
      if (isStarted) return
      isStarted = true
      const response = responseUnderWay(context)
      lifecycle('response.created', response)
      lifecycle('response.in_progress', response)
    },
    /** Keeps the next place in the answer for an item. */
    place(prefix: string) {
      const index = output.length
      const id = `${prefix}_${context.requestId}_${index}`
      output.push({})
      return { id, index }
    },
    added(index: number, item: JsonObject): void {
      output[index] = item
      frame('response.output_item.added', { output_index: index, item })
    },
    done(index: number, item: JsonObject): void {
      output[index] = item
      frame('response.output_item.done', { output_index: index, item })
    },
    /** A piece of text; `at` are the members, already written, that tell where it belongs. */
    delta(type: string, at: string, text: string): void {
      write(type, `${at},"delta":${JSON.stringify(text)}`)
    },
    /** The frames since the last time. */
    take(): string {
      const taken = frames
      frames = ''
      return taken
    },
  }
}
