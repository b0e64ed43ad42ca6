import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { logEvent } from '@tidegate/contract'
import type { Environment } from '../environment.ts'
import type { Logger } from '../observability/logging.ts'

export type NotifyService = (state: 'READY=1' | 'RELOADING=1' | 'STOPPING=1') => Promise<void>

/**
 * Sends systemd the states of the service in order. Node has no datagram sockets for paths, so the program
 * of systemd sends it.
 */
export function createNotifyService(
  { NOTIFY_SOCKET: socket }: Pick<Environment, 'NOTIFY_SOCKET'>,
  log: Logger,
  program = 'systemd-notify',
): NotifyService {
  if (socket === undefined) return async () => {}
  let last: Promise<void> = Promise.resolve()
  return (state) => {
    last = last.then(() => send(state))
    return last
  }

  async function send(state: string): Promise<void> {
    try {
      await promisify(execFile)(program, [state])
    } catch (error) {
      logEvent(log, 'server.notify_failed', { err: error, state })
    }
  }
}
