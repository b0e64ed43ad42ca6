import type { ApiToken } from '@tidegate/contract/api'

/** The models that a token may call: those it is limited to, else all that its owner can reach. */
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

/** Names of models that do something else than answer in words. */
const NO_TALKER =
  /embed|rerank|moderation|whisper|transcribe|tts|speech|audio|realtime|dall-e|image|video|sora|veo|suno|midjourney|^mj[-_]/i

/** The model to begin with: the first that is likely to hold a conversation. */
export function firstChoice(models: readonly string[]): string | undefined {
  return models.find((name) => !NO_TALKER.test(name)) ?? models[0]
}
