import type { Environment } from '../environment.ts'
import type { Logger } from '../logging.ts'
import { openStorage } from '../node/open-storage.ts'
import { checkBooks } from './check-books.ts'

/** Proves the books and lists what does not agree. Gives the exit code. */
export async function verify(environment: Environment, log: Logger): Promise<number> {
  const storage = await openStorage(environment, log)
  try {
    const problems = await checkBooks(storage.database.db)
    console.log(problems.length === 0 ? 'The books balance.' : problems.join('\n'))
    return problems.length === 0 ? 0 : 1
  } finally {
    await storage.close()
  }
}
