import { describe, expect, it } from 'vitest'
import { COLOURED_MODELS, MODEL_PALETTE, modelSlots, otherColor } from './model-colors.ts'
import { PALETTES, type ThemeMode } from './theme/palette.ts'

const NAMES = ['gpt-4o', 'gpt-4o-mini', 'claude-sonnet-4', 'deepseek-chat', 'gemini-2.5-pro', 'qwen-max', 'glm-4.6']
const MODES = Object.keys(MODEL_PALETTE) as ThemeMode[]

describe('the colours of models', () => {
  it('do not depend on the order in which models come', () => {
    expect(Object.fromEntries(modelSlots(NAMES.toReversed()))).toEqual(Object.fromEntries(modelSlots(NAMES)))
  })

  it('stay with a model when others join it, unless they would look alike', () => {
    for (const name of NAMES) {
      const alone = modelSlots([name]).get(name)
      const sharing = NAMES.filter((other) => modelSlots([other]).get(other) === alone)
      if (sharing[0] === name && sharing.length === 1) expect(modelSlots(NAMES).get(name)).toBe(alone)
    }
  })

  it('differ on one chart, however many share a place by name', () => {
    const crowd = Array.from({ length: COLOURED_MODELS }, (_, index) => `model-${index}`)

    expect(new Set(modelSlots(crowd).values()).size).toBe(COLOURED_MODELS)
  })

  it('never run out: a chart of more than ten gives the rest no colour', () => {
    const slots = modelSlots(Array.from({ length: 40 }, (_, index) => `model-${index}`))

    expect(slots.size).toBe(10)
  })
})

describe.each(MODES)('the palette on %s', (mode) => {
  it('has ten colours and a grey that are seen on the surface', () => {
    expect(MODEL_PALETTE[mode]).toHaveLength(10)
    for (const colour of [...MODEL_PALETTE[mode], otherColor(mode)])
      expect(contrast(linear(colour), linear(PALETTES[mode].surface))).toBeGreaterThanOrEqual(2.9)
  })

  it.each(Object.entries(VISIONS()))('is told apart with %s', (_, see) => {
    const seen = MODEL_PALETTE[mode].map((colour) => oklab(see(linear(colour))))
    const gaps = seen.flatMap((one, index) => seen.slice(index + 1).map((other) => distance(one, other)))

    expect(Math.min(...gaps)).toBeGreaterThan(0.07)
  })
})

type Triple = readonly [number, number, number]

/** How colours look to most people and to those who lack one kind of cone, after Machado, Oliveira and Fernandes. */
function VISIONS(): Record<string, (rgb: Triple) => Triple> {
  return {
    'all cones': (rgb) => rgb,
    protanopia: through(
      [0.152286, 1.052583, -0.204868],
      [0.114503, 0.786281, 0.099216],
      [-0.003882, -0.048116, 1.051998],
    ),
    deuteranopia: through(
      [0.367322, 0.860646, -0.227968],
      [0.280085, 0.672501, 0.047413],
      [-0.01182, 0.04294, 0.968881],
    ),
    tritanopia: through(
      [1.255528, -0.076749, -0.178779],
      [-0.078411, 0.930809, 0.147602],
      [0.004733, 0.691367, 0.3039],
    ),
  }
}

function through(...rows: [Triple, Triple, Triple]): (rgb: Triple) => Triple {
  return (rgb) => rows.map((row) => Math.min(1, Math.max(0, dot(row, rgb)))) as unknown as Triple
}

function linear(hex: string): Triple {
  const part = (at: number) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return [part(1), part(3), part(5)]
}

function contrast(one: Triple, other: Triple): number {
  const [light, dark] = [one, other].map((rgb) => dot([0.2126, 0.7152, 0.0722], rgb)).sort((a, b) => b - a)
  return (light! + 0.05) / (dark! + 0.05)
}

function oklab(rgb: Triple): Triple {
  const cones = [
    [0.4122214708, 0.5363325363, 0.0514459929],
    [0.2119034982, 0.6806995451, 0.1073969566],
    [0.0883024619, 0.2817188376, 0.6299787005],
  ].map((row) => Math.cbrt(dot(row as unknown as Triple, rgb))) as unknown as Triple
  return [
    dot([0.2104542553, 0.793617785, -0.0040720468], cones),
    dot([1.9779984951, -2.428592205, 0.4505937099], cones),
    dot([0.0259040371, 0.7827717662, -0.808675766], cones),
  ]
}

const dot = (one: Triple, other: Triple) => one[0] * other[0] + one[1] * other[1] + one[2] * other[2]
const distance = (one: Triple, other: Triple) => Math.hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2])
