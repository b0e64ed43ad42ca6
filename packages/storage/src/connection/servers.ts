import { Client, type ClientConfig } from 'pg'
import { startDeadline } from './deadline.ts'

/** An address in `DATABASE_URL`. */
interface Server {
  readonly host: string
  readonly port: number
}

/** The addresses of one database, of which at most one takes writes. */
export interface Servers {
  /** The server that took writes when it was last checked, or the first one if none does. */
  primary(): Promise<Server>
  /** The primary may have changed, so the next connection checks all servers. */
  check(): void
}

const DEFAULT_PORT = 5432
const CHECK_MS = 1_000
const AUTHORITY = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/

/** Splits `postgres://user:password@a:5432,b/name`. Throws if it is not the address of a PostgreSQL database. */
export function readServers(url: string): { servers: Server[]; url: string } {
  const [, scheme, hosts = '', rest = ''] = AUTHORITY.exec(url) ?? []
  const texts = hosts.split(',')
  const servers = texts.map(readServer)
  const first = `${scheme}${texts[0]}${rest}`
  const isComplete = texts.length === 1 || !texts.includes('')
  if (scheme === undefined || !isComplete || !URL.canParse(first))
    throw new Error('not the address of a PostgreSQL database')
  const attributes = new URL(first).searchParams.get('target_session_attrs')
  if (attributes !== null && !WRITABLE.has(attributes)) {
    throw new Error(`target_session_attrs must be one of ${[...WRITABLE].join(', ')}`)
  }
  return { servers, url: first }
}

/** Only the primary is ever used, which these names of libpq mean. */
const WRITABLE = new Set(['read-write', 'primary'])

function readServer(text: string): Server {
  const [, host = '', port] = /^(\[[^\]]+\]|[^:]*)(?::(\d+))?$/.exec(text) ?? []
  if (text !== '' && host === '') throw new Error('not a host with an optional port') // may be a password
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port ?? DEFAULT_PORT) }
}

/** Finds the primary when it is needed, and asks again only after a connection to it failed. */
export function watchServers(servers: readonly Server[], config: ClientConfig): Servers {
  let primary: Promise<Server> | undefined

  return {
    primary() {
      primary ??= findPrimary(servers, config).then((found) => {
        if (!found) primary = undefined
        return found ?? servers[0]!
      })
      return primary
    },
    check() {
      primary = undefined
    },
  }
}

/** All are asked at once; the first in the list that takes writes is chosen. */
async function findPrimary(servers: readonly Server[], config: ClientConfig): Promise<Server | undefined> {
  const writable = await Promise.all(servers.map((server) => isWritable(server, config)))
  return servers.find((_server, index) => writable[index])
}

async function isWritable(server: Server, config: ClientConfig): Promise<boolean> {
  const client = new ServerClient(config, server)
  client.on('error', () => {}) // it also rejects the query
  const stopDeadline = startDeadline(CHECK_MS, () => client.destroy())
  try {
    await client.connect()
    return await takesWrites(client)
  } catch {
    return false
  } finally {
    stopDeadline()
    client.end().catch(() => {})
  }
}

/** Whether the server of a connection takes writes: it is not a standby, nor a primary that was demoted. */
export async function takesWrites(client: Pick<Client, 'query'>): Promise<boolean> {
  const { rows } = await client.query<{ readonly: boolean }>(
    `select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as readonly`,
  )
  return !rows[0]!.readonly
}

/** Members of a `pg` client that its types do not declare. */
export type InternalClient = Client & {
  host: string
  port: number
  readonly processID: number | null
  readonly connection: { readonly stream: { destroy(error?: Error): void } }
}

/** A client of one server, whatever address its configuration has. */
class ServerClient extends Client {
  constructor(config: ClientConfig, server: Server) {
    super(config)
    Object.assign(this, server)
  }

  destroy(): void {
    ;(this as unknown as InternalClient).connection.stream.destroy()
  }
}

/** A class of clients that connect to the primary, for `pg.Pool` and for single connections. */
export function clientOfPrimary(servers: Servers): typeof Client {
  return class extends Client {
    constructor(config?: string | ClientConfig) {
      super(config)
      this.once('error', () => servers.check())
    }

    override connect(): Promise<this>
    override connect(callback: (error: Error) => void): void
    override connect(callback?: (error: Error) => void): Promise<this> | void {
      const connecting = this.#connect()
      if (!callback) return connecting
      connecting.then(() => callback(undefined as unknown as Error), callback)
    }

    async #connect(): Promise<this> {
      Object.assign(this, await servers.primary())
      try {
        await super.connect()
        return this
      } catch (error) {
        servers.check()
        throw error
      }
    }
  }
}
