/** A request and a response in a form that no serializer would write. */
export interface Shape {
  readonly name: string
  /** Without the host. */
  readonly path: string
  readonly body: string
  /** What the provider must get. Default: every byte unchanged. */
  readonly sent?: string
  /** The path at the provider. Default: our path. */
  readonly sentPath?: string
  readonly stream?: boolean
  readonly response: string
  /** What the client must get. Default: every byte unchanged. */
  readonly received?: string
}

/** A shape with a body that requests a stream, for protocols that do so in the body. */
export function streamShape(shape: Omit<Shape, 'stream'>): Shape {
  return { ...shape, stream: true }
}

/** Adds a field as the last one, before the closing brace of the object. */
export function withLast(body: string, member: string): string {
  const end = body.lastIndexOf('}')
  const trimmed = body.slice(0, end).trimEnd()
  return `${trimmed},${member}${body.slice(trimmed.length)}`
}
