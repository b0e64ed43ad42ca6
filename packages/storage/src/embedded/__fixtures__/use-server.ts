/** Uses the embedded database until standard input ends. Prints the process ID of the server. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../start-embedded-postgres.ts'

const dataDir = process.argv[2]!
const server = await startEmbeddedPostgres({ dataDir })
const pid = Number.parseInt(await readFile(join(dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8'), 10)
process.stdout.write(`${pid}\n`)
process.stdin.resume().once('end', () => void server.stop())
