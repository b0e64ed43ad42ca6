interface NamedModel {
  /** As clients send it, with the prefix of the channel. */
  readonly name: string
  /** As the channel lists it. */
  readonly model: string
}

/** The name that a channel sends upstream: what its mapping makes of a model, step by step, else the listed name. */
export function upstreamNameOf(mapping: ReadonlyMap<string, string>, { name, model }: NamedModel): string {
  const seen = new Set<string>()
  let current = mapping.has(model) ? model : name
  while (mapping.has(current) && !seen.has(current)) {
    seen.add(current)
    current = mapping.get(current)!
  }
  return seen.size === 0 ? model : current
}
