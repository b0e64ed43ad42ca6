import type { JsonObject } from '../json/json-object.ts'

/** Server-sent event with a JSON value. */
export function jsonFrame(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`
}

/** Comment that clients ignore. Keeps the connection alive. */
export function commentFrame(comment: string): string {
  return `: ${comment}\n\n`
}

/** Clients recognise events by the frame's name or by `type` in the data. */
export function eventFrame(type: string, event: JsonObject): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...event })}\n\n`
}

/** Same for members that are already JSON. */
export function eventFrameOf(type: string, members: string): string {
  return `event: ${type}\ndata: {"type":"${type}",${members}}\n\n`
}

/** Members of an object as JSON without the braces. */
export function membersOf(object: JsonObject): string {
  return JSON.stringify(object).slice(1, -1)
}
