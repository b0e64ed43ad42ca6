export type Row = Readonly<Record<string, unknown>>

/** A database of another product, only read. */
export interface Source {
  readonly engine: 'SQLite' | 'MySQL' | 'PostgreSQL'
  /** Where it is, without user and password: the name it is remembered by. */
  readonly address: string
  /** None when there is no such table. */
  columnsOf(table: string): Promise<ReadonlySet<string>>
  /** Rows with an `id`, by it and a page at a time; those after one, where somebody reads on. */
  rows(table: string, from?: { after?: number; since?: SinceTime }): AsyncIterable<Row>
  /** How many those would be. */
  countRows(table: string, from?: { after?: number; since?: SinceTime }): Promise<number>
  /** A small table at once, whatever its key is. */
  all(table: string): Promise<Row[]>
  close(): Promise<void>
}

/** Times stand in the column as whole seconds. */
export interface SinceTime {
  readonly column: string
  readonly seconds: number
}

/** What the engines differ in. */
export interface Engine {
  readonly name: Source['engine']
  readonly address: string
  quote(name: string): string
  /** Parameters stand as `?`. */
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

/** A database's place without user, password and settings. */
export function addressOf(url: string): string {
  const { protocol, host, pathname } = new URL(url)
  return `${protocol.replace('postgresql:', 'postgres:')}//${host}${pathname}`
}
