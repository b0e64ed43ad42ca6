import type { ResponseContext } from '../../canonical/index.ts'
import type { JsonObject } from '../../json/json-object.ts'
import { eventFrameOf, membersOf } from '../../sse/write-frame.ts'
import { echoRequest, inProgressResponse } from '../response/response-object.ts'

export type StreamWriter = ReturnType<typeof createStreamWriter>

/** Writes the frames of one stream: numbers events, assigns indexes and ids to items, and collects the output. */
export function createStreamWriter(context: ResponseContext) {
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
    // The repeated request fields can be long, so they are serialized once.
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
    /** Reserves the next output index. */
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
    /** Writes a delta. `at` are the serialized members that locate it. */
    writeDelta(type: string, at: string, text: string): void {
      write(type, `${at},"delta":${JSON.stringify(text)}`)
    },
    /** Returns the frames since the last call. */
    take(): string {
      const taken = frames
      frames = ''
      return taken
    },
  }
}
