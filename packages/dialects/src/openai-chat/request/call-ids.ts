const LONGEST_ID = 40

/** OpenAI refuses ids of calls beyond 40 characters. Longer ones get a name by the order they appear in. */
export function createCallIds(): (id: string) => string {
  const renamed = new Map<string, string>()
  return (id) => {
    if (id.length <= LONGEST_ID) return id
    let short = renamed.get(id)
    if (short === undefined) renamed.set(id, (short = `call_renamed_${renamed.size}`))
    return short
  }
}
