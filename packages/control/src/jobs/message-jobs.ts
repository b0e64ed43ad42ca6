import type { Deps } from '../deps.ts'
import { deliverMessages } from '../messaging/messages/deliver-messages.ts'
import type { Job } from './run-jobs.ts'

/**
 * Brings messages to groups and to everybody. Sending may outlast the lease: another worker that joins then finds each
 * message locked by the one that is at it, and takes turns at worst.
 */
export function messageJobs(deps: Pick<Deps, 'db' | 'now'>): Job[] {
  return [{ name: 'deliver-messages', everySeconds: 2, run: (stopping) => deliverMessages(deps, stopping) }]
}
