import { DEFAULT_PRICES } from '@tidegate/contract'
import { figure } from './figure.ts'

/** What a token of sound costs next to a token of text. */
export interface AudioRatios {
  readonly audioRatio: number
  /** Sound that is made, as a multiple of sound that is heard. */
  readonly audioCompletionRatio: number
}

/** The default list where it knows the model's price of sound, else the rules by name. */
export function audioRatiosOf(model: string): AudioRatios {
  return {
    audioRatio: figure(DEFAULT_PRICES.audioRatio, model) ?? audioRatioByName(model),
    audioCompletionRatio: figure(DEFAULT_PRICES.audioCompletionRatio, model) ?? 2,
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
