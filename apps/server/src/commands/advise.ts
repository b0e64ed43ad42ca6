import { join, resolve } from 'node:path'
import type { Environment } from '../environment.ts'

type AdviceContext = Pick<Environment, 'PORT' | 'HOST' | 'TIDEGATE_DATA_DIR' | 'DATABASE_URL'>

/** How an operator fixes an error; undefined for errors an operator cannot fix. */
export function advise(error: unknown, environment: AdviceContext): string | undefined {
  const { code = '', syscall, path } = error as NodeJS.ErrnoException
  if (syscall === 'listen') return adviceOnPort(code, environment)
  if (path !== undefined && isBelow(path, environment.TIDEGATE_DATA_DIR)) {
    return adviceOnDirectory(code, environment.TIDEGATE_DATA_DIR)
  }
  if (environment.DATABASE_URL !== undefined && DATABASE_CODES.has(code)) {
    return `The database cannot be used: ${(error as Error).message}. Check that it runs, and check the host, name and password in DATABASE_URL.`
  }
  return undefined
}

function adviceOnPort(code: string, { PORT, HOST }: AdviceContext): string | undefined {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${PORT} is taken by another program, perhaps another Tidegate. Stop it, or choose another port: PORT=${PORT === 3000 ? 3001 : 3000} tidegate start`
    case 'EACCES':
      return `This user may not listen on port ${PORT}. Choose a port above 1023, such as PORT=3000, and put a proxy in front of it.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `This machine does not have the address ${HOST}. Set HOST to one of its addresses, or to 0.0.0.0 for all of them.`
    default:
      return undefined
  }
}

function adviceOnDirectory(code: string, directory: string): string | undefined {
  const other = 'or set TIDEGATE_DATA_DIR to another directory.'
  switch (code) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return `The data directory ${directory} cannot be written. Make it writable for the user who starts Tidegate, ${other}`
    case 'EEXIST':
    case 'ENOTDIR':
      return `The data directory ${directory} is not a directory. Move the file away, ${other}`
    case 'ENOSPC':
      return `The disk of the data directory ${directory} is full. Free some space, ${other}`
    default:
      return undefined
  }
}

/** Network errors, then PostgreSQL's codes for a wrong password and a missing user or database. */
const DATABASE_CODES = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', '28P01', '28000', '3D000'])

/** The path in the error may also be a parent of the data directory. */
function isBelow(path: string, directory: string): boolean {
  const [one, other] = [join(resolve(path), '/'), join(resolve(directory), '/')]
  return one.startsWith(other) || other.startsWith(one)
}
