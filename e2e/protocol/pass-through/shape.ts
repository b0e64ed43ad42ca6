/** A request that a client writes in a way no serializer would, and an answer that a vendor writes so. */
export interface Shape {
  readonly name: string
  /** Without the host. */
  readonly path: string
  readonly body: string
  /** What of it the vendor must get; left out, every byte as it is. */
  readonly sent?: string
  /** Where the vendor must be asked; left out, where we were. */
  readonly sentPath?: string
  readonly stream?: boolean
  readonly response: string
  /** What of the answer the client must get; left out, every byte as it is. */
  readonly received?: string
}

/** A shape whose body asks for a stream, in a dialect where it says so. */
export function streamed(shape: Omit<Shape, 'stream'>): Shape {
  return { ...shape, stream: true }
}

/** Puts a member behind all others, before the brace that closes the object. */
export function withLast(body: string, member: string): string {
  const end = body.lastIndexOf('}')
  const trimmed = body.slice(0, end).trimEnd()
  return `${trimmed},${member}${body.slice(trimmed.length)}`
}
