import type { Rates } from '@tidegate/contract'

/** What a token of sound costs next to a token of text. */
export interface AudioRatios {
  readonly audioRatio: number
  /** Sound that is made, as a multiple of sound that is heard. */
  readonly audioCompletionRatio: number
}

const AUDIO_COMPLETION_RATIO = 2

/** By the rates of the price list where it knows the model's price of sound, else the rules by name. */
export function audioRatiosOf(model: string, listed: Rates | undefined): AudioRatios {
  const { input, audioInput, audioOutput } = listed ?? {}
  if (!input || audioInput === undefined) {
    return { audioRatio: audioRatioByName(model), audioCompletionRatio: AUDIO_COMPLETION_RATIO }
  }
  return {
    audioRatio: audioInput / input,
    audioCompletionRatio:
      audioOutput === undefined || audioInput === 0 ? AUDIO_COMPLETION_RATIO : audioOutput / audioInput,
  }
}

function audioRatioByName(model: string): number {
  if (model.includes('-realtime')) {
    if (model.includes('mini')) return 16.67
    return model.endsWith('4o-realtime-preview-2024-12-17') ? 8 : 20
  }
  if (model.includes('-audio')) {
    if (model.includes('mini')) return 66.67
    return model.endsWith('4o-audio-preview-2024-12-17') ? 16 : 40
  }
  return 20
}
