import type { ApiToken } from '@tidegate/contract/api'

/** The models of a token: its limit, or all models of its owner. */
export function modelsOf(
  token: Pick<ApiToken, 'model_limits_enabled' | 'model_limits'>,
  own: readonly string[],
): readonly string[] {
  if (!token.model_limits_enabled) return own
  return token.model_limits
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

/** Names of models that are not for chat. */
const NOT_CHAT =
  /embed|rerank|moderation|whisper|transcribe|tts|speech|audio|realtime|dall-e|image|video|sora|veo|suno|midjourney|^mj[-_]/i

/** The default model: the first that is likely to be a chat model. */
export function firstChoice(models: readonly string[]): string | undefined {
  return models.find((name) => !NOT_CHAT.test(name)) ?? models[0]
}

/** The newest chat model with a word of this family in its name. */
export function newestOf(models: readonly string[], family: RegExp): string | undefined {
  const matches = models.filter((name) => family.test(name) && !NOT_CHAT.test(name))
  return matches.toSorted((one, other) => compareVersions(versionOf(other), versionOf(one)))[0]
}

/** Words of names of small models. */
const SMALL = /\b(haiku|mini|flash|lite|nano|luna|small)\b/i

/** A small model of the same family, for titles and summaries; the model itself if there is none. */
export function smallModelOf(models: readonly string[], model: string): string {
  const family = /^[a-z]+/i.exec(model)?.[0]
  const relatives = models.filter((name) => /^[a-z]+/i.exec(name)?.[0] === family)
  return SMALL.test(model) ? model : (newestOf(relatives, SMALL) ?? model)
}

/** The numbers of a name without its date: 4 and 6 of `claude-sonnet-4-6-20260115`. */
const versionOf = (name: string): number[] => (name.match(/\d+/g) ?? []).filter((part) => part.length < 3).map(Number)

function compareVersions(one: readonly number[], other: readonly number[]): number {
  const index = [...one, 0].findIndex((part, at) => part !== (other[at] ?? 0))
  return index === -1 ? one.length - other.length : (one[index] ?? 0) - (other[index] ?? 0)
}

/** Base URL of this site: the configured address, or the origin of this page. */
export const siteAddress = (serverAddress: string, origin = window.location.origin): string =>
  (serverAddress || origin).replace(/\/+$/, '')
