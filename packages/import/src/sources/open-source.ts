import { InputError } from '../errors.ts'
import { openPostgres } from './postgres.ts'
import { type Engine, type Source, createSource } from './source.ts'

export const SOURCE_FORMATS = 'sqlite:FILE, mysql://…, user:password@tcp(host:3306)/name, postgres://… or litellm:FILE'

/** Opens the database of a `--from` address. */
export async function openSource(address: string): Promise<Source> {
  const from = goDsnToUrl(address)
  const [, scheme = '', rest = ''] = /^([a-z]+):(.*)$/s.exec(from) ?? []
  if (scheme === 'sqlite' && rest !== '') return createSource(await openSqlite(rest))
  const isAddress = rest.startsWith('//') && URL.canParse(from) && new URL(from).pathname.length > 1
  if (scheme === 'mysql' && isAddress) return createSource(await openMysql(from))
  if (/^postgres(ql)?$/.test(scheme) && isAddress) return createSource(await openPostgres(from))
  throw new InputError(`--from must be ${SOURCE_FORMATS}; an address ends with the name of the database.`)
}

// Loaded on demand, because a server does not need them.

async function openSqlite(path: string): Promise<Engine> {
  const engine = await import('./sqlite.ts')
  return engine.openSqlite(path)
}

async function openMysql(url: string): Promise<Engine> {
  const engine = await import('./mysql.ts')
  return engine.openMysql(url)
}

/**
 * Converts a Go data source name of MySQL, `user:password@tcp(host:3306)/name?…`, to a URL. Other text stays as it is.
 * The password is optional.
 */
export function goDsnToUrl(address: string): string {
  const parts = /^(?:mysql:(?:\/\/)?)?([^:@/]+)(?::(.*))?@tcp\(([^)]+)\)\/([^?]+)/.exec(address)
  if (!parts) return address
  const [, user = '', password = '', host = '', name = ''] = parts
  return `mysql://${encodeURIComponent(user)}:${encodeURIComponent(password)}@${host}/${name}`
}
