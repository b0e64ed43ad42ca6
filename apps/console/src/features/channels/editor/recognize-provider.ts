/** Key formats that belong to one provider. Plain `sk-` keys are used by several and are not listed. */
const FORMATS: readonly (readonly [pattern: RegExp, type: number])[] = [
  [/^sk-ant-/, 14],
  [/^sk-or-/, 20],
  [/^sk-(proj|svcacct|admin)-/, 1],
  [/^sk-[A-Za-z0-9_-]*T3BlbkFJ/, 1],
  [/^AIza[\w-]{30,}$/, 24],
  [/^xai-/, 48],
  [/^pplx-/, 27],
  [/^github_pat_/, 49],
  [/^jina_/, 38],
  [/^app-[A-Za-z0-9]{16,}$/, 37],
  [/^bce-v3\//, 46],
  [/^\{[\s\S]*"type"\s*:\s*"service_account"/, 41],
  [/^[A-Z0-9]{16,}\|[^|\s]+\|[a-z]{2}(-[a-z]+)+-\d$/, 33],
  [/^[0-9a-f]{32}\.[A-Za-z0-9]{16}$/, 16],
]

/** Shorter texts are incomplete keys. */
const MIN_LENGTH = 16

export const isPlausibleKey = (key: string): boolean => key.trim().length >= MIN_LENGTH

/** The channel type of a key; undefined if the key format is unknown. */
export function recognizeProvider(key: string): number | undefined {
  return FORMATS.find(([pattern]) => pattern.test(key.trim()))?.[1]
}
