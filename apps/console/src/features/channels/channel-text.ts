import { upstreamNameOf } from '@tidegate/contract/api'
import type { ErrorLabel } from '../../components/error-label.ts'
import { isJsonObject } from '../../lib/json-text.ts'

/** Models and groups are comma-separated text in the API. */
export function splitNames(text: string): string[] {
  return [...new Set(text.split(/[,，\n]/).map((name) => name.trim()))].filter((name) => name !== '')
}

const PROTOTYPE_KEYS = new Set(['__proto__', 'constructor', 'prototype'])

/** Removes keys that would change an object's prototype. Other text stays as it was typed. */
export function withoutPrototypeKeys(text: string): string {
  if (!isJsonObject(text)) return text.trim()
  const entries = Object.entries(JSON.parse(text) as Record<string, unknown>)
  const kept = entries.filter(([name]) => !PROTOTYPE_KEYS.has(name))
  return kept.length === entries.length ? text.trim() : JSON.stringify(Object.fromEntries(kept), null, 2)
}

/** Why and when a channel was disabled automatically; blank and 0 if unknown. */
export function statusReason(otherInfo: string): { reason: string; time: number } {
  const info = parse(otherInfo)
  return {
    reason: typeof info.status_reason === 'string' ? info.status_reason : '',
    time: typeof info.status_time === 'number' ? info.status_time : 0,
  }
}

/** A reason with the status of the provider, as the gateway writes it. */
const STATUS_REASON = /^status (\d{3}): (.*)$/s
/** Codes that say less than the message. */
const VAGUE_CODES: ReadonlySet<string> = new Set(['bad_response_status_code', 'upstream_error', 'unknown'])

interface ErrorParts {
  status?: number | null | undefined
  code?: string | undefined
  message: string
}

/** `401 Channel key rejected`: the status, and its label, or else the code or the first clause of the message. */
export function shortError({ status = null, code = '', message }: ErrorParts, labelOf?: ErrorLabel): string {
  const [, ownStatus, text = message] = STATUS_REASON.exec(message) ?? []
  const label = labelOf?.({ code, status: Number(status ?? ownStatus ?? 0) })
  if (label !== undefined) return [status ?? ownStatus, label].filter(Boolean).join(' ')
  const [clause = ''] = text.split(/[.,:;](?=\s|$)|[。，：；（\n]| \(/, 1)
  const isCode = /^[\w-]+$/.test(code) && !VAGUE_CODES.has(code)
  const isProse = clause !== '' && !/^[{[<]/.test(clause)
  return [status ?? ownStatus, isCode || !isProse ? code : clause.trim()].filter(Boolean).join(' ')
}

export interface UsageWarning {
  time: number
  model: string
  reported: number
  counted: number
}

/** The last implausible usage that the provider reported; undefined if it is older than a week. */
export function usageWarning(otherInfo: string, now = Date.now() / 1000): UsageWarning | undefined {
  const warning = parse(otherInfo).usage_warning as Partial<UsageWarning> | undefined
  const { time, model, reported, counted } = warning ?? {}
  if (typeof time !== 'number' || typeof model !== 'string') return undefined
  if (typeof reported !== 'number' || typeof counted !== 'number' || now - time > WARNING_SECONDS) return undefined
  return { time, model, reported, counted }
}

const WARNING_SECONDS = 7 * 24 * 3600

function parse(otherInfo: string): Record<string, unknown> {
  try {
    return (JSON.parse(otherInfo) as Record<string, unknown> | null) ?? {}
  } catch {
    return {}
  }
}

export interface UnpricedModel {
  /** As the channel lists it. */
  model: string
  /** As clients send it. */
  clientName: string
  /** As the channel sends it upstream. */
  upstreamName: string
}

interface Names {
  model_mapping?: string | null | undefined
  model_prefix?: string | null | undefined
}

/** Adds the client and upstream names, which depend on the mapping and the prefix. */
export function nameUnpriced(
  models: readonly string[],
  { model_mapping: text, model_prefix: prefix }: Names,
): UnpricedModel[] {
  const mapping = readMapping(text ?? '')
  return models.map((model) => {
    const clientName = `${prefix ?? ''}${model}`
    return { model, clientName, upstreamName: upstreamNameOf(mapping, { name: clientName, model }) }
  })
}

/** Invalid JSON maps nothing, as on the server. */
export function readMapping(text: string): Map<string, string> {
  if (!isJsonObject(text)) return new Map()
  const entries = Object.entries(JSON.parse(text) as Record<string, unknown>)
  const isNames = entries.every((entry): entry is [string, string] => typeof entry[1] === 'string')
  return new Map(isNames ? entries : [])
}
