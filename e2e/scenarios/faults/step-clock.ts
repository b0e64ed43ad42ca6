import { glob, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { removeDirectory, throwAwayDirectory } from '@tidegate/testing'
import { sql } from 'kysely'
import { privatePostgres } from '../private-services.ts'
import type { Fault } from './fault.ts'

/** The wall clock jumps for every process, PostgreSQL included. The monotonic clock does not. */
export const clockAhead = stepClock('one hour ahead', '+3600')
export const clockBack = stepClock('one hour back', '-3600')

function stepClock(name: string, offset: string): Fault {
  return {
    name: `clock stepped ${name}, then right again`,
    async prepare() {
      const directory = await throwAwayDirectory()
      const file = join(directory, 'offset')
      const setTo = (value: string) => writeFile(file, `${value}\n`)
      await setTo('+0')
      const env = {
        LD_PRELOAD: await libraryOf('libfaketime.so.1'),
        FAKETIME_TIMESTAMP_FILE: file,
        FAKETIME_CACHE_DURATION: '1',
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
        DONT_FAKE_MONOTONIC: '1',
      }
      const postgres = await withVariables(env, () => privatePostgres())
      return {
        environment: { env, postgresUrl: postgres.url },
        inject: () => setTo(offset),
        repair: () => setTo('+0'),
        // Requests were logged at future times, or at times before the site existed.
        async hasTakenEffect({ site }) {
          const { rows } = await sql<{ count: number }>`
            select count(*)::integer as count from usage_log
            where abs(extract(epoch from now() - created_at)) > 1800`.execute(site.database.db)
          return rows[0]!.count > 0
        },
        async remove() {
          await postgres.remove()
          await removeDirectory(directory)
        },
      }
    },
  }
}

/** Child processes inherit them. */
async function withVariables<Result>(env: Record<string, string>, work: () => Promise<Result>): Promise<Result> {
  Object.assign(process.env, env)
  try {
    return await work()
  } finally {
    for (const name of Object.keys(env)) delete process.env[name]
  }
}

/** A library that replaces the system time of a process, at the path of Debian. */
export async function libraryOf(file: string): Promise<string> {
  for await (const found of glob(`/usr/lib/*/{.,faketime}/${file}`)) return found
  throw new Error(`${file} is not installed`)
}
