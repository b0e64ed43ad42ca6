import type { StreamEnd } from '../../canonical/dialect.ts'
import type { WireError } from '../../canonical/errors.ts'
import { asText } from '../../json/json-object.ts'

/** The members are JSON already. */
export function frameOf(type: string, members: string): string {
  return `event: ${type}\ndata: {"event_type":"${type}",${members}}\n\n`
}

export const END_MARKER = 'event: done\ndata: [DONE]\n\n'

/** Missing in the language's type declarations. */
const { TextDecoder } = globalThis as unknown as { TextDecoder: new () => { decode(bytes: Uint8Array): string } }

/** The provider's last event with the usage, and the end marker. */
export function closeStream({ terminal }: Pick<StreamEnd, 'terminal'>): string {
  if (terminal === undefined) return END_MARKER
  const text = new TextDecoder().decode(terminal)
  // The frame may have been complete before the last half of its line end arrived.
  return text + (text.endsWith('\r\n\r') ? '\n' : '') + END_MARKER
}

/** Last event of a failed stream. */
export function errorFrame({ code, message }: WireError, status: number): string {
  const error = { code: asText(code) || (typeof code === 'number' ? String(code) : String(status)), message }
  return frameOf('error', `"error":${JSON.stringify(error)}`)
}
