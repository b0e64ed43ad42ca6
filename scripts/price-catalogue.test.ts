import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { priceModels } from './price-catalogue/price-models.ts'
import { condensePrices, formatPrices, parsePrices } from './price-catalogue/public-prices.ts'
import { writeModules } from './price-catalogue/write-modules.ts'

const folder = join(import.meta.dirname, '../packages/contract/src/options/default-prices')
const kept = await readFile(join(folder, 'public-prices.jsonl'), 'utf8')

describe('the default price list', () => {
  it('is what the kept list of public prices makes', async () => {
    const prices = parsePrices(kept)

    for (const [path, text] of writeModules(prices.version, priceModels(prices))) {
      expect(await readFile(join(folder, path), 'utf8'), path).toBe(text)
    }
  })

  it('has no module that the kept list does not make', async () => {
    const prices = parsePrices(kept)
    const made = [...writeModules(prices.version, priceModels(prices)).keys()].filter((path) => path.includes('/'))

    const present = await Promise.all(
      ['vendors', 'limits', 'abilities'].map(async (name) =>
        (await readdir(join(folder, name))).map((file) => `${name}/${file}`),
      ),
    )

    expect(present.flat().toSorted()).toEqual(made.toSorted())
  })

  it('keeps the public prices as condensing them again would', () => {
    const { version, models } = parsePrices(kept)

    expect(formatPrices(condensePrices([...models].toReversed(), version))).toBe(kept)
  })
})

describe('a public price', () => {
  const priced = (fields: object) => {
    const list = [{ vendor: 'Acme', model: 'm', mode: 'chat', ...fields }]
    return priceModels(condensePrices(list, '2030.01'))
  }

  it('becomes ratios', () => {
    expect(
      priced({ input: 0.3, output: 2.4, cacheRead: 0.03, context: 1000, maxOutput: 100, can: ['tools', 'flying'] }),
    ).toEqual([
      {
        vendor: 'Acme',
        name: 'm',
        abilities: ['tools'],
        modelRatio: 0.15,
        completionRatio: 8,
        cacheRatio: 0.1,
        context: 1000,
        maxOutput: 100,
      },
    ])
  })

  it('is divided by its written digits, and rounded up where they do not end', () => {
    expect(priced({ input: 0.1, output: 0.7 })[0]?.completionRatio).toBe(7)
    expect(priced({ input: 0.3, output: 1 })[0]?.completionRatio).toBe(3.333333333334)
  })

  it('of sound is a multiple of the price of text', () => {
    expect(priced({ input: 4, output: 16, audioInput: 32, audioOutput: 64 })).toMatchObject([
      { audioRatio: 8, audioCompletionRatio: 2 },
    ])
    expect(priced({ input: 4, output: 16, can: ['audio'] })).toMatchObject([{ audioRatio: 1 }])
  })

  it('by the piece is a price per call', () => {
    expect(priced({ mode: 'image_generation', perImage: 0.04 })).toMatchObject([{ price: 0.04 }])
    expect(priced({ mode: 'rerank', input: 0, perQuery: 0.002 })).toMatchObject([{ price: 0.002 }])
  })

  it('by the second of a transcription is a thousand tokens a minute', () => {
    expect(priced({ mode: 'audio_transcription', inputPerSecond: 0.0001 })).toMatchObject([{ modelRatio: 3 }])
  })

  it.each([
    ['of nothing', { input: 0, output: 0 }],
    ['of output alone', { input: 0, output: 2.8 }],
    ['by tokens and by the image', { mode: 'image_generation', input: 5, perImage: 0.04 }],
    ['by the second of a film', { mode: 'video_generation', perSecond: 0.4 }],
  ])('%s is left out', (_, fields) => {
    const [model] = priced({ ...fields, context: 1000 })

    expect(model).toEqual({ vendor: 'Acme', name: 'm', abilities: [], context: 1000 })
  })

  it('goes for the names that ask for more thought as well', () => {
    const names = (fields: object) => priced({ input: 1, can: ['reasoning'], ...fields }).map(({ name }) => name)

    expect(names({ vendor: 'Anthropic', model: 'claude-x' })).toEqual(['claude-x', 'claude-x-thinking'])
    expect(names({ vendor: 'OpenAI', model: 'o9' })).toEqual(['o9', 'o9-high', 'o9-low', 'o9-medium'])
    expect(names({ vendor: 'OpenAI', model: 'gpt-x' })).toEqual(['gpt-x'])
  })

  it('below zero, or listed twice, is refused', () => {
    expect(() => priced({ input: -1 })).toThrow('input of m is -1')
    expect(() =>
      condensePrices(
        [
          { vendor: 'A', model: 'm', mode: 'chat' },
          { vendor: 'B', model: 'm', mode: 'chat' },
        ],
        '1',
      ),
    ).toThrow('listed twice')
  })
})
