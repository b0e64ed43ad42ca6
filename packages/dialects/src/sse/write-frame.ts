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

/** The same for members that are JSON already. */
export function eventFrameOf(type: string, members: string): string {
  return `event: ${type}\ndata: {"type":"${type}",${members}}\n\n`
}

/** Members of an object, to be written among others. */
export function membersOf(object: JsonObject): string {
  return JSON.stringify(object).slice(1, -1)
}
