export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }

/** What stands at a place inside a document; undefined when there is no such place. */
export function pick(document: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((inside, step) => {
    return typeof inside === 'object' && inside !== null ? (inside as Record<string, unknown>)[step] : undefined
  }, document)
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
