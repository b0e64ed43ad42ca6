import { NO_TOKENS, type UsageReport } from '@tidegate/contract'
import { atMost } from '../canonical/usage.ts'
import { asCount, asJsonObject, type JsonObject } from '../json/json-object.ts'

/** What a response of the images API is billed by. Nothing where the provider reports no tokens. */
export function imageReport(response: JsonObject): UsageReport | undefined {
  const usage = asJsonObject(response.usage)
  if (!usage) return undefined
  const read = asJsonObject(usage.input_tokens_details) ?? {}
  const made = asJsonObject(usage.output_tokens_details)
  const total = asCount(usage.input_tokens)
  const output = asCount(usage.output_tokens)
  if (total + output === 0 || !Number.isSafeInteger(total + output)) return undefined
  const imageInput = atMost(asCount(read.image_tokens), total)
  const imageOutput = made ? atMost(asCount(made.image_tokens), output) : output
  return { ...NO_TOKENS, input: total - imageInput, imageInput, imageOutput, output: output - imageOutput }
}

/** What the `usage` of a realtime response is billed by: text, audio and images, each fresh or cached. */
export function realtimeReport(usage: JsonObject): UsageReport {
  const read = asJsonObject(usage.input_token_details) ?? {}
  const cached = asJsonObject(read.cached_tokens_details)
  const made = asJsonObject(usage.output_token_details) ?? {}
  const [total, output] = [asCount(usage.input_tokens), asCount(usage.output_tokens)]
  const audio = atMost(asCount(read.audio_tokens), total)
  const image = atMost(asCount(read.image_tokens), total - audio)
  const text = total - audio - image
  const audioCached = atMost(asCount(cached?.audio_tokens), audio)
  const imageCached = atMost(asCount(cached?.image_tokens), image)
  const textCached = atMost(asCount(cached ? cached.text_tokens : read.cached_tokens), text)
  const audioOutput = atMost(asCount(made.audio_tokens), output)
  return {
    ...NO_TOKENS,
    input: text - textCached,
    cacheRead: textCached,
    audioInput: audio - audioCached,
    audioCached,
    imageInput: image - imageCached,
    imageCached,
    output: output - audioOutput,
    audioOutput,
  }
}
