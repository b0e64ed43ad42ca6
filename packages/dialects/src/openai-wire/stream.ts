import type { BodyChanges, OwnedFields } from '../canonical/index.ts'
import { asJsonObject, type JsonObject } from '../json/json-object.ts'

/** How a stream of OpenAI's older APIs ends. */
export const DONE_FRAME = 'data: [DONE]\n\n'

/** Whether to stream, and whether to be told the counts of it. */
export function streamChanges(body: JsonObject, { stream, usage }: OwnedFields): BodyChanges {
  const changes: BodyChanges = {}
  if ((body.stream === true) !== stream) changes.stream = stream
  // A call that no longer streams must not say how it would: vendors refuse that.
  const dropsOptions = usage === 'omit' || changes.stream === false
  if (dropsOptions && body.stream_options !== undefined) changes.stream_options = undefined
  const options = asJsonObject(body.stream_options)
  if (stream && usage === 'ask' && options?.include_usage !== true) {
    changes.stream_options = { ...options, include_usage: true }
  }
  return changes
}
