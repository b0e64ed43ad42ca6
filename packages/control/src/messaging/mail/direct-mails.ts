import { setTimeout as delay } from 'node:timers/promises'
import { logEvent } from '@tidegate/contract'
import type { Deps } from '../../deps.ts'
import { isPermanentRejection, sendMail, type Mail, type MailSettings } from './mail.ts'

export interface MailQueue {
  /**
   * Never waits and never throws, so responses do not depend on the mail server. Uses the current mail server, or
   * `via`.
   */
  add(mail: Mail, via?: MailSettings): void
  /** Tries the remaining mails once more, up to the stop timeout. */
  stop(): Promise<void>
}

interface QueuedMail {
  readonly mail: Mail
  readonly via: MailSettings | undefined
}

interface QueueOptions {
  /** Delays before the second and further attempts. */
  readonly waitsMs?: readonly number[]
  readonly concurrency?: number
  /** Maximum number of queued mails; further mails are dropped and logged. */
  readonly capacity?: number
  /** How long `stop` waits for mails. */
  readonly stopTimeoutMs?: number
}

/**
 * Sends mails in the background. The queue is lost with the process: codes and links are valid for minutes, and users
 * can request new ones.
 */
export function createMailQueue(
  { catalog, log }: Pick<Deps, 'catalog' | 'log'>,
  { waitsMs = [2_000, 10_000, 30_000], concurrency = 4, capacity = 1_000, stopTimeoutMs = 5_000 }: QueueOptions = {},
): MailQueue {
  const waiting: QueuedMail[] = []
  const sending = new Set<Promise<void>>()
  const stopping = new AbortController()

  function sendWaiting(): void {
    while (sending.size < concurrency) {
      const queued = waiting.shift()
      if (!queued) return
      const sent = deliver(queued).finally(() => {
        sending.delete(sent)
        sendWaiting()
      })
      sending.add(sent)
    }
  }

  async function deliver({ mail, via }: QueuedMail): Promise<void> {
    for (let failures = 0; ; failures += 1) {
      try {
        return await sendMail(via ?? catalog().settings, mail)
      } catch (error) {
        const waitMs = waitsMs[failures]
        if (waitMs === undefined || isPermanentRejection(error) || stopping.signal.aborted) {
          return logEvent(log, 'mail.failed', { err: error, subject: mail.subject, tries: failures + 1 })
        }
        await delay(waitMs, undefined, { signal: stopping.signal, ref: false }).catch(() => {})
      }
    }
  }

  async function drain(): Promise<void> {
    sendWaiting()
    while (sending.size > 0) await Promise.all(sending)
  }

  return {
    add(mail, via) {
      if (waiting.length >= capacity) return logEvent(log, 'mail.dropped', { subject: mail.subject })
      waiting.push({ mail, via })
      setImmediate(sendWaiting) // after the response, so its timing does not reveal whether a mail is sent
    },
    async stop() {
      stopping.abort()
      await Promise.race([drain(), delay(stopTimeoutMs, undefined, { ref: false })])
      const left = waiting.splice(0).length + sending.size
      if (left > 0) logEvent(log, 'mail.unsent_at_stop', { mails: left })
    },
  }
}
