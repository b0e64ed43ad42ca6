import styles from './provider-mark.module.css'

/** Abstract glyphs on a grid of 20. They resemble no logo, because logos are trademarks. */
const GLYPHS = {
  ring: 'M10 5.5a4.5 4.5 0 1 1 0 9a4.5 4.5 0 0 1 0-9Z',
  peak: 'M5.5 14.5L10 5.5l4.5 9',
  angle: 'M8 5v9.5h6M5.5 10H8',
  star: 'M10 4.5c.6 3.4 2.1 4.9 5.5 5.5c-3.4.6-4.9 2.1-5.5 5.5c-.6-3.4-2.1-4.9-5.5-5.5c3.4-.6 4.9-2.1 5.5-5.5Z',
  waves: 'M4.5 8c1.8-2 3.7-2 5.5 0s3.7 2 5.5 0M4.5 12.5c1.8-2 3.7-2 5.5 0s3.7 2 5.5 0',
  moon: 'M12.5 5a5.3 5.3 0 1 0 2.6 7.6A4.6 4.6 0 0 1 12.5 5Z',
  lines: 'M5 6.5h10M5 10h7M5 13.5h10',
  branch: 'M4.5 10h3.5c2 0 2-4 4-4h3M8 10c2 0 2 4 4 4h3',
  bolt: 'M11 4.5L6.5 11H10l-1 4.5l4.5-6.5H10Z',
  cross: 'M5.5 5.5l9 9M14.5 5.5l-9 9',
  columns: 'M6 5.5v9M10 8v6.5M14 5.5v9',
  stairs: 'M5 14.5h3.3v-3h3.4v-3H15v-3',
  triangle: 'M10 5l5.2 9.5H4.8ZM10 9.5v2.5',
  grid: 'M5.5 5.5h3.2v3.2H5.5ZM11.3 5.5h3.2v3.2h-3.2ZM5.5 11.3h3.2v3.2H5.5ZM11.3 11.3h3.2v3.2h-3.2Z',
  cloud: 'M6.8 13.5a2.6 2.6 0 0 1 .1-5.2a3.6 3.6 0 0 1 6.8 1a2.2 2.2 0 0 1-.2 4.2Z',
  note: 'M8 14V6l6-1v7.5M8 14a1.7 1.7 0 1 1-1.7-1.7H8M14 12.5a1.7 1.7 0 1 1-1.7-1.7H14',
  frame: 'M5 6h10v8H5ZM5.5 13l3-3l2.2 2l1.8-1.6l2 2',
  dots: 'M6.5 10h.01M10 10h.01M13.5 10h.01',
  hexagon: 'M10 4.8l4.6 2.6v5.2L10 15.2l-4.6-2.6V7.4Z',
} as const

type Glyph = keyof typeof GLYPHS

/** Colour and glyph by channel type. White on each colour has a contrast of at least 4.5:1. */
const MARKS: Readonly<Record<number, readonly [color: string, glyph: Glyph]>> = {
  1: ['#1f2937', 'ring'],
  2: ['#4338ca', 'frame'],
  3: ['#0e6f8c', 'angle'],
  4: ['#3f3f46', 'hexagon'],
  5: ['#5b21b6', 'frame'],
  8: ['#475569', 'dots'],
  14: ['#b0532b', 'peak'],
  15: ['#1d4ed8', 'columns'],
  16: ['#1763b5', 'stairs'],
  17: ['#96580a', 'lines'],
  18: ['#0369a1', 'bolt'],
  19: ['#15803d', 'ring'],
  20: ['#7038b8', 'branch'],
  22: ['#2563eb', 'bolt'],
  23: ['#0059b3', 'cloud'],
  24: ['#2c6bd6', 'star'],
  25: ['#312e81', 'moon'],
  26: ['#1763b5', 'stairs'],
  27: ['#0f766e', 'grid'],
  31: ['#166534', 'columns'],
  33: ['#1f7a55', 'lines'],
  34: ['#7c3a52', 'hexagon'],
  35: ['#be123c', 'waves'],
  36: ['#86198f', 'note'],
  37: ['#1e40af', 'grid'],
  38: ['#0f766e', 'triangle'],
  39: ['#b45309', 'cloud'],
  40: ['#6d28d9', 'waves'],
  41: ['#2c6bd6', 'triangle'],
  42: ['#b9480d', 'columns'],
  43: ['#3b55c4', 'waves'],
  44: ['#9d174d', 'dots'],
  45: ['#b23447', 'peak'],
  46: ['#1d4ed8', 'columns'],
  47: ['#7e22ce', 'cross'],
  48: ['#3a3a44', 'cross'],
  49: ['#27303b', 'branch'],
}

const OTHER = ['#52606d', 'dots'] as const

/** Channel types by the provider's name in the price list. */
const TYPES: Readonly<Record<string, number>> = {
  OpenAI: 1,
  Anthropic: 14,
  Baidu: 15,
  Zhipu: 16,
  Alibaba: 17,
  iFlytek: 18,
  Tencent: 23,
  Google: 24,
  Moonshot: 25,
  Perplexity: 27,
  Cohere: 34,
  MiniMax: 35,
  Suno: 36,
  Jina: 38,
  Cloudflare: 39,
  Mistral: 42,
  DeepSeek: 43,
  ByteDance: 45,
  xAI: 48,
}

/** The icon of a model's provider. Absent for a model without a provider. */
export function ModelProviderMark({ provider, size = 16 }: { provider: string; size?: number }) {
  return provider === '' ? null : <ProviderMark type={TYPES[provider] ?? null} size={size} />
}

/** The icon of a provider, by channel type. Decorative, because the name is shown beside it. */
export function ProviderMark({ type, size = 20 }: { type: number | null; size?: number }) {
  const [color, glyph] = (type === null ? undefined : MARKS[type]) ?? OTHER
  return (
    <svg className={styles.mark} width={size} height={size} viewBox="0 0 20 20" aria-hidden focusable="false">
      <rect width="20" height="20" rx="5" fill={color} />
      <path d={GLYPHS[glyph]} />
    </svg>
  )
}
