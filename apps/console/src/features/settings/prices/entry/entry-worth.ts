import type { TFunction } from 'i18next'
import { dollars } from '../../../../lib/format.ts'
import { readFigure } from '../figures.ts'
import { problemsOf, type PriceEntry } from './price-entry.ts'

/** What the figures of one way come to in the other, in words; blank while they are not complete. */
export function entryWorth(entry: PriceEntry, t: TFunction<'settings'>): string {
  if (entry.mode === 'call' || Object.keys(problemsOf(entry)).length > 0) return ''
  return (entry.way === 'ratio' ? inPrices() : inRatios()).filter((part) => part !== '').join(t('prices.entry.comma'))

  function inPrices(): string[] {
    return [
      say('prices.entry.worthInput', entry.input),
      say('prices.entry.worthOutput', entry.output),
      say('prices.entry.worthCached', entry.cached),
    ]
  }

  function inRatios(): string[] {
    return [
      entry.ratio && t('prices.entry.worthRatio', { ratio: entry.ratio }),
      entry.completion && t('prices.entry.worthCompletion', { ratio: entry.completion }),
      entry.cache && t('prices.entry.worthCache', { ratio: entry.cache }),
    ]
  }

  function say(
    key: 'prices.entry.worthInput' | 'prices.entry.worthOutput' | 'prices.entry.worthCached',
    text: string,
  ): string {
    const price = readFigure(text)
    return price === undefined ? '' : t(key, { price: t('prices.perMillion', { price: dollars(price, 2, 6) }) })
  }
}
