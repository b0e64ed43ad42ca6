import type { JsonObject } from '../json/json-object.ts'

/** Clients tell events by the name of the frame, and some by `type` inside it. */
export function eventFrame(type: string, event: JsonObject): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...event })}\n\n`
}
