import type { JsonObject } from '../json/json-object.ts'

/** One server-sent event holding a JSON value. */
export function jsonFrame(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`
}

/** A line the client must ignore; it only shows that the connection is alive. */
export function commentFrame(comment: string): string {
  return `: ${comment}\n\n`
}

/** Clients tell events by the name of the frame, and some by `type` inside it. */
export function eventFrame(type: string, event: JsonObject): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...event })}\n\n`
}
