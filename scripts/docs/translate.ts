import CHINESE from './reference-texts.zh.json' with { type: 'json' }

export type Language = 'en' | 'zh'

/** A text of the sources, as a generated page in this language shows it. */
export function translate(text: string, language: Language): string {
  if (language === 'en') return text
  const translated = (CHINESE as Readonly<Record<string, string>>)[text]
  if (translated === undefined) throw new Error(`scripts/docs/reference-texts.zh.json has no "${text}"`)
  return translated
}
