const CATEGORIES = [
  'HARM_CATEGORY_HARASSMENT',
  'HARM_CATEGORY_HATE_SPEECH',
  'HARM_CATEGORY_SEXUALLY_EXPLICIT',
  'HARM_CATEGORY_DANGEROUS_CONTENT',
  'HARM_CATEGORY_CIVIC_INTEGRITY',
]

/** The operator's thresholds by category. */
export function thresholdsOf(settings: Readonly<Record<string, string>>): { category: string; threshold: string }[] {
  return CATEGORIES.flatMap((category) => {
    const threshold = settings[category] ?? settings.default
    return threshold ? [{ category, threshold }] : []
  })
}
