import { setTimeout as delay } from 'node:timers/promises'
import { logEvent } from '@tidegate/contract'
import type { Deps } from '../../deps.ts'
import { RETRY_SECONDS, retryDelay } from '../outbox/delivery-result.ts'
import { attemptMail, type Mail, type MailSettings } from './mail.ts'

export interface DirectMails {
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
  tries: number
}

interface DirectMailOptions {
  readonly retrySeconds?: readonly number[]
  readonly concurrency?: number
  /** Maximum number of mails in memory; further mails are dropped and logged. */
  readonly capacity?: number
  /** How long `stop` waits for mails. */
  readonly stopTimeoutMs?: number
}

/**
 * Sends mails from memory instead of the outbox: codes and reset links must not be stored, and a mail through a mail
 * server that was just replaced needs its password. They are lost with the process; users can request new codes.
 */
export function createDirectMails(
  { catalog, log }: Pick<Deps, 'catalog' | 'log'>,
  { retrySeconds = RETRY_SECONDS, concurrency = 4, capacity = 1_000, stopTimeoutMs = 5_000 }: DirectMailOptions = {},
): DirectMails {
  const ready: QueuedMail[] = []
  const delayed = new Map<QueuedMail, NodeJS.Timeout>()
  const sending = new Set<Promise<void>>()
  let isStopping = false

  function sendReady(): void {
    while (sending.size < concurrency) {
      const queued = ready.shift()
      if (!queued) return
      const sent = attempt(queued).finally(() => {
        sending.delete(sent)
        sendReady()
      })
      sending.add(sent)
    }
  }

  async function attempt(queued: QueuedMail): Promise<void> {
    queued.tries += 1
    const { mail, via, tries } = queued
    const result = await attemptMail(via ?? catalog().settings, mail, { log, tries })
    if (result.error === '') return
    const wait = isStopping ? undefined : retryDelay(result, tries, retrySeconds)
    if (wait === undefined) {
      logEvent(log, 'delivery.mail_failed', { subject: mail.subject, error: result.error, tries })
      return
    }
    const retry = () => {
      delayed.delete(queued)
      ready.push(queued)
      sendReady()
    }
    delayed.set(queued, setTimeout(retry, wait * 1000).unref())
  }

  async function drain(): Promise<void> {
    sendReady()
    while (sending.size > 0) await Promise.all(sending)
  }

  return {
    add(mail, via) {
      if (ready.length + delayed.size >= capacity) {
        logEvent(log, 'delivery.mail_dropped', { subject: mail.subject })
        return
      }
      ready.push({ mail, via, tries: 0 })
      setImmediate(sendReady) // after the response, so its timing does not reveal whether a mail is sent
    },
    async stop() {
      isStopping = true
      for (const [queued, timer] of delayed) {
        clearTimeout(timer)
        ready.push(queued)
      }
      delayed.clear()
      await Promise.race([drain(), delay(stopTimeoutMs, undefined, { ref: false })])
      const left = ready.splice(0).length + sending.size
      if (left > 0) logEvent(log, 'delivery.mails_unsent_at_stop', { mails: left })
    },
  }
}
