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

/** Base URL of this site: the configured address, or the origin of this page. */
export const siteAddress = (serverAddress: string, origin = window.location.origin): string =>
  (serverAddress || origin).replace(/\/+$/, '')
