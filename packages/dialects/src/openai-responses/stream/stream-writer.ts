import type { AnswerContext } from '../../canonical/index.ts'
import type { JsonObject } from '../../json/json-object.ts'
import { eventFrameOf, membersOf } from '../../sse/write-frame.ts'
import { echoRequest, inProgressResponse } from '../response/response-object.ts'

export type StreamWriter = ReturnType<typeof createStreamWriter>

/** Writes the frames of one stream: numbers them, gives items their places and ids, and keeps what the answer holds. */
export function createStreamWriter(context: AnswerContext) {
  const output: JsonObject[] = []
  let frames = ''
  let sequence = 0
  let requestEcho: string | undefined
  let isStarted = false

  function write(type: string, members: string): void {
    frames += eventFrameOf(type, `"sequence_number":${sequence},${members}`)
    sequence += 1
  }
  function writeFrame(type: string, members: JsonObject): void {
    write(type, membersOf(members))
  }
  function writeLifecycle(type: string, response: JsonObject): void {
    // What is repeated of the question can be long, and is the same each time.
    requestEcho ??= membersOf(echoRequest(context))
    write(type, `"response":{${membersOf(response)},${requestEcho}}`)
  }

  return {
    output,
    writeFrame,
    writeLifecycle,
    start(): void {
      if (isStarted) return
      isStarted = true
      const response = inProgressResponse(context)
      writeLifecycle('response.created', response)
      writeLifecycle('response.in_progress', response)
    },
    /** Keeps the next place in the answer for an item. */
    reserveItem(prefix: string) {
      const index = output.length
      const id = `${prefix}_${context.requestId}_${index}`
      output.push({})
      return { id, index }
    },
    addItem(index: number, item: JsonObject): void {
      output[index] = item
      writeFrame('response.output_item.added', { output_index: index, item })
    },
    finishItem(index: number, item: JsonObject): void {
      output[index] = item
      writeFrame('response.output_item.done', { output_index: index, item })
    },
    /** A piece of text; `at` are the members, already written, that tell where it belongs. */
    writeDelta(type: string, at: string, text: string): void {
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
