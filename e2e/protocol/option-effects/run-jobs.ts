import { sql } from 'kysely'
import type { EffectSite } from './site.ts'

/** Lets jobs of the site run now, in a worker of their own; `until` says when they have done what is looked at. */
export async function runJobs(
  site: EffectSite,
  names: readonly string[],
  until: () => Promise<unknown> = () => Promise.resolve(),
): Promise<void> {
  await sql`delete from job_lease where name in (${sql.join(names)})`.execute(site.database.db)
  const worker = await site.startWorker()
  try {
    await until()
  } finally {
    await worker.stop() // which waits for what was begun
  }
}
