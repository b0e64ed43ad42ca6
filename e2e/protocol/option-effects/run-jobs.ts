import { sql } from 'kysely'
import type { EffectSite } from './site.ts'

/** Lets jobs of the site run now, in a worker of their own. */
export async function runJobs(site: EffectSite, names: readonly string[]): Promise<void> {
  await sql`delete from job_lease where name in (${sql.join(names)})`.execute(site.database.db)
  const worker = await site.startWorker()
  await worker.stop() // which waits for what was begun
}
