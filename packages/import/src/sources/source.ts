export type Row = Readonly<Record<string, unknown>>

/** A database of another product, read-only. */
export interface Source {
  readonly engine: 'SQLite' | 'MySQL' | 'PostgreSQL'
  /** The address without user and password, which identifies the source. */
  readonly address: string
  /** Empty when the table does not exist. */
  columnsOf(table: string): Promise<ReadonlySet<string>>
  /** Reads rows page by page, ordered by `id`, optionally after an ID or since a time. */
  rows(table: string, from?: { after?: number; since?: SinceTime }): AsyncIterable<Row>
  /** The number of rows that `rows` would return. */
  countRows(table: string, from?: { after?: number; since?: SinceTime }): Promise<number>
  /** A whole small table, regardless of its key. */
  all(table: string): Promise<Row[]>
  close(): Promise<void>
}

/** The column holds Unix seconds. */
export interface SinceTime {
  readonly column: string
  readonly seconds: number
}

/** The differences between engines. */
export interface Engine {
  readonly name: Source['engine']
  readonly address: string
  quote(name: string): string
  /** Parameters are written as `?`. */
  query(statement: string, parameters?: readonly (string | number)[]): Promise<Row[]>
  columnsOf(table: string): Promise<string[]>
  close(): Promise<void>
}

const PAGE = 1_000

export function createSource(engine: Engine): Source {
  const { quote, query } = engine
  const fromClause = (table: string, since: SinceTime | undefined) =>
    `from ${quote(table)} where id > ?${since ? ` and ${quote(since.column)} >= ?` : ''}`
  const values = (after: number, since: SinceTime | undefined) => (since ? [after, since.seconds] : [after])
  return {
    engine: engine.name,
    address: engine.address,
    columnsOf: async (table) => new Set(await engine.columnsOf(table)),
    all: (table) => query(`select * from ${quote(table)}`),
    close: () => engine.close(),
    async countRows(table, { after = 0, since } = {}) {
      const [row] = await query(`select count(*) as total ${fromClause(table, since)}`, values(after, since))
      return Number(row!.total)
    },
    async *rows(table, { after = 0, since } = {}) {
      const statement = `select * ${fromClause(table, since)} order by id limit ${PAGE}`
      for (let last = after; ;) {
        const page = await query(statement, values(last, since))
        yield* page
        if (page.length < PAGE) return
        last = Number(page.at(-1)!.id)
      }
    },
  }
}

/** The address of a database without user, password and parameters. */
export function addressOf(url: string): string {
  const { protocol, host, pathname } = new URL(url)
  return `${protocol.replace('postgresql:', 'postgres:')}//${host}${pathname}`
}
