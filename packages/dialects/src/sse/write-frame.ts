/** One server-sent event holding a JSON value. */
export function jsonFrame(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`
}

/** A line the client must ignore; it only shows that the connection is alive. */
export function commentFrame(comment: string): string {
  return `: ${comment}\n\n`
}
