import type { BodyChanges, RequestOverrides } from '../canonical/index.ts'
import { asJsonObject, type JsonObject } from '../json/json-object.ts'

/** End marker of OpenAI's chat and completion streams. */
export const DONE_FRAME = 'data: [DONE]\n\n'

/** Changes to `stream` and `stream_options`. */
export function streamChanges(body: JsonObject, { stream, usage }: RequestOverrides): BodyChanges {
  const changes: BodyChanges = {}
  if ((body.stream === true) !== stream) changes.stream = stream
  // Providers reject `stream_options` in a request that does not stream.
  const dropsOptions = usage === 'omit' || changes.stream === false
  if (dropsOptions && body.stream_options !== undefined) changes.stream_options = undefined
  const options = asJsonObject(body.stream_options)
  if (stream && usage === 'ask' && options?.include_usage !== true) {
    changes.stream_options = { ...options, include_usage: true }
  }
  return changes
}
