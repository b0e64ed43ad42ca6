/** Part of a statement, with the values of its parameters in order. */
export interface Fragment {
  readonly texts: readonly string[]
  readonly values: readonly Value[]
}

/** A database of ClickHouse. */
export interface ClickHouse {
  readonly database: string
  rows<Row>(statement: Fragment): Promise<Row[]>
  /** A statement without rows. */
  run(statement: Fragment): Promise<void>
  /** Adds lines of JSON to the log. A token that was used before adds nothing. */
  insert(token: string, lines: readonly string[]): Promise<void>
  close(): Promise<void>
}

type Value = number | string | readonly number[] | readonly string[]

/** A statement for ClickHouse. Values are sent as parameters; fragments become part of it. */
export function ch(texts: TemplateStringsArray, ...inserted: (Value | Fragment)[]): Fragment {
  const result: { texts: string[]; values: Value[] } = { texts: [texts[0]!], values: [] }
  inserted.forEach((value, index) => {
    const after = texts[index + 1]!
    if (isFragment(value)) append(result, value, after)
    else {
      result.values.push(value)
      result.texts.push(after)
    }
  })
  return result
}

function isFragment(value: Value | Fragment): value is Fragment {
  return typeof value === 'object' && 'texts' in value
}

function append(result: { texts: string[]; values: Value[] }, { texts, values }: Fragment, after: string): void {
  result.texts[result.texts.length - 1] += texts[0]!
  result.texts.push(...texts.slice(1))
  result.values.push(...values)
  result.texts[result.texts.length - 1] += after
}

/** Text that is part of the program. */
export function raw(text: string): Fragment {
  return { texts: [text], values: [] }
}

export function join(fragments: readonly Fragment[], separator: string): Fragment {
  const [first = raw(''), ...others] = fragments
  return others.reduce((all, fragment) => ch`${all}${raw(separator)}${fragment}`, first)
}

/** The statement with its parameters by name. */
export function compile({ texts, values }: Fragment): { query: string; query_params: Record<string, Value> } {
  const query = texts.reduce((text, next, index) => `${text}{p${index - 1}:${typeOf(values[index - 1]!)}}${next}`)
  return { query, query_params: Object.fromEntries(values.map((value, index) => [`p${index}`, value])) }
}

function typeOf(value: Value): string {
  if (typeof value === 'number') return Number.isInteger(value) ? 'Int64' : 'Float64'
  if (typeof value === 'string') return 'String'
  return typeof value[0] === 'string' ? 'Array(String)' : 'Array(Int64)'
}
