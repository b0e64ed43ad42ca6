import { setTimeout as delay } from 'node:timers/promises'
import type { Deps } from '../../deps.ts'
import { isPermanentRejection, sendMail, type Mail, type MailSettings } from './mail.ts'

export interface MailQueue {
  /**
   * Never waits and never throws: no answer of ours depends on, or tells, how a mail server is doing. Sends through the
   * server that is set when its turn comes, or through the one in `via`.
   */
  add(mail: Mail, via?: MailSettings): void
  /** Tries what is left once more without further waits, as long as its patience lasts. */
  stop(): Promise<void>
}

interface QueuedMail {
  readonly mail: Mail
  readonly via: MailSettings | undefined
}

interface QueueOptions {
  /** The waits before the second and each further try. */
  readonly waitsMs?: readonly number[]
  readonly concurrency?: number
  /** Mails kept at most; a mail beyond that is dropped and told in the log. */
  readonly capacity?: number
  /** How long a stop waits for mails on their way. */
  readonly stopTimeoutMs?: number
}

/**
 * Sends mails in the background, a few at a time. What it holds goes with the process: codes and links live for minutes
 * only, and whoever misses one asks again.
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
          return log.error({ err: error, subject: mail.subject, tries: failures + 1 }, 'a mail could not be sent')
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
      if (waiting.length >= capacity)
        return log.error({ subject: mail.subject }, 'a mail was dropped: too many are waiting')
      waiting.push({ mail, via })
      setImmediate(sendWaiting) // after the answer is out, whose time must not tell whether there was a mail to send
    },
    async stop() {
      stopping.abort()
      await Promise.race([drain(), delay(stopTimeoutMs, undefined, { ref: false })])
      const left = waiting.splice(0).length + sending.size
      if (left > 0) log.error({ mails: left }, 'mails were not sent before the process ended')
    },
  }
}
